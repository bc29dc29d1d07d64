/** Error of a queue or server that accepts no requests, because it is unreachable or closing. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
}
