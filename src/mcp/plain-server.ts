import { Server } from '@modelcontextprotocol/server';

/** Calls and answers as they are: the SDK would hold them against its own schemas, and refuse in its own words. */
export class PlainServer extends Server {
  protected override _wrapHandler<Handler>(_method: string, handler: Handler): Handler {
    return handler;
  }
}
