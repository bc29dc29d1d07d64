import { ReplyError } from 'ioredis'

/** Matches errors that are not about the database: Redis answers any first command of a connection with them. */
const NO_ACCESS = /NOAUTH|DENIED|LOADING|max number of clients/

/** Whether an error is the refusal of the database that a connection selects first. */
export function isRefusedDatabase(error: unknown): boolean {
  if (!(error instanceof Error && error instanceof ReplyError)) return false
  const { command } = error as { readonly command?: { readonly name: string } }
  return command?.name === 'select' && !NO_ACCESS.test(error.message)
}

/** Returns the message for the operator if an error is the refusal of a database. Returns null for any other error. */
export const refusedDatabase = (error: unknown): string | null =>
  isRefusedDatabase(error)
    ? `Redis refuses the database of REDIS_URL (${(error as Error).message}): name one that the server has, as in redis://host:6379/0`
    : null
