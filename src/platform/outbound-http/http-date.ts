/**
 * Parses an HTTP-date, such as that of a Retry-After header, to milliseconds since 1970; NaN if the text is none. All
 * three forms of an HTTP-date begin with a weekday and are in UTC. `Date.parse` accepts other texts too, and takes a
 * date without a zone for a local one.
 */
export function parseHttpDate(text: string): number {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)) return NaN
  const zoned = /(GMT|UTC)$/.test(text) ? text : `${text} GMT`
  return Date.parse(zoned.replace(/^([A-Z][a-z]+), (\d{2})-([A-Z][a-z]{2})-(\d{2}) /, '$1, $2 $3 20$4 '))
}
