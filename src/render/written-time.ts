/** A moment as the log has it, for people: to the second, in UTC, the same everywhere. */
export function writtenTime(at: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/u.exec(at) ?? [];
  return day === undefined || time === undefined ? at : `${day} ${time} UTC`;
}
