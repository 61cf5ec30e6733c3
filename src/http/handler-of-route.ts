import type { Rejection } from '../base/rejection.js';
import type { Result } from '../base/result.js';
import type { AnswerOf, JsonRouteName } from '../contract/api-answers.js';
import type { ApiRouteName, ParameterOf } from '../contract/api-routes.js';
import type { BodyOf, QueryOf } from '../contract/parse-api.js';

/** A request that has passed the guard and whose form is right. */
export interface Asked<N extends ApiRouteName> {
  readonly request: Request;
  readonly param: (name: ParameterOf<N>) => string;
  readonly query: QueryOf<N>;
  readonly body: BodyOf<N>;
  readonly lastEventId: string | undefined;
}

/** What is answered as JSON is what the route's schema says; a stream or a file is a response of its own. */
type Answered<N extends ApiRouteName> = N extends JsonRouteName ? AnswerOf<N> | Response : Response;

export type ApiHandlers = {
  readonly [N in ApiRouteName]: (asked: Asked<N>) => Promise<Result<Answered<N>, Rejection>>;
};
