import { ReplyError } from 'ioredis'

/** Matches errors that are not about the database: Redis can answer the first command of any connection with them. */
const NO_ACCESS = /NOAUTH|DENIED|LOADING|max number of clients/

/** Whether Redis refused the database that a new connection selects. */
export function isRefusedDatabase(error: unknown): boolean {
  if (!(error instanceof Error && error instanceof ReplyError)) return false
  const { command } = error as { readonly command?: { readonly name: string } }
  return command?.name === 'select' && !NO_ACCESS.test(error.message)
}

/** Returns the message for operators if Redis refused a database; null for any other error. */
export const refusedDatabaseMessage = (error: unknown): string | null =>
  isRefusedDatabase(error)
    ? `Redis refuses the database of REDIS_URL (${(error as Error).message}): name one that the server has, as in redis://host:6379/0`
    : null
