/** A queue or a server that this process needs takes no requests: it cannot be reached, or it is closing. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
}
