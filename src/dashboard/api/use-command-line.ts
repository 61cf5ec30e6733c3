import { useQuery } from '@tanstack/react-query';
import { commandLine } from '../../base/sentence.js';
import { queries } from './queries.js';

/** Makes commands that run in a shell on the machine of this server, from the words after the program's name. */
export function useCommandLine(): (words: readonly string[]) => string {
  const { data } = useQuery(queries.about());
  const { program = ['workrail'], where = [] } = data ?? {};
  return (words) => commandLine(program, [...words, ...where]);
}
