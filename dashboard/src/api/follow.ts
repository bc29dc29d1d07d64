/** One attempt to receive a stream. Exactly one of `failed` and `completed` ends it. */
export interface Attempt<Item> {
  next(item: Item): void
  failed(error: unknown): void
  completed(): void
}

/** How a stream is followed. */
export interface Following<Item> {
  /** Starts an attempt. */
  open(attempt: Attempt<Item>): void
  next(item: Item): void
  /** Reports why an attempt failed. Another one follows. */
  error(error: unknown): void
  /** Returns whether the person still has access. It throws if the service cannot be reached. */
  hasAccess(): Promise<boolean>
  signedOut(): void
  /** Reports that the person may not receive the stream. No other attempt follows. */
  forbidden(): void
  /** Waits before another attempt; `failures` counts the failed ones since the last item. */
  wait(failures: number): Promise<void>
}

/** Close code of the service after the access of a socket has ended. */
const ACCESS_ENDED = 4403

/**
 * Follows a stream until the returned function is called. A stream that fails or completes is opened again.
 *
 * The service also closes sockets with 4403 when one of several connections is archived. The session then still reads
 * the others, so the person is signed out only if the service says so.
 */
export function follow<Item>(following: Following<Item>): () => void {
  let hasEnded = false
  let failures = 0
  const attempt = (): void => {
    if (hasEnded) return
    following.open({
      next: (item) => {
        failures = 0
        if (!hasEnded) following.next(item)
      },
      failed: (error) => void again(error),
      completed: () => void again(null),
    })
  }
  const again = async (error: unknown): Promise<void> => {
    if (hasEnded) return
    if (isAccessEnd(error)) {
      const isSignedOut = await isRefused(following)
      if (hasEnded) return
      if (isSignedOut) return following.signedOut()
    } else if (error !== null) following.error(error)
    if (isForbidden(error)) return following.forbidden()
    await following.wait(failures++)
    attempt()
  }
  attempt()
  return () => {
    hasEnded = true
  }
}

/** Returns whether the service says that the access has ended. A service that cannot be reached says nothing. */
async function isRefused<Item>(following: Following<Item>): Promise<boolean> {
  try {
    return !(await following.hasAccess())
  } catch {
    return false
  }
}

export const isAccessEnd = (event: unknown): boolean =>
  typeof event === 'object' && event !== null && 'code' in event && event.code === ACCESS_ENDED

/** Whether the service refused the stream because of missing rights, which another attempt does not change. */
const isForbidden = (error: unknown): boolean =>
  Array.isArray(error) &&
  error.some(({ extensions }: { extensions?: { code?: unknown } }) => extensions?.code === 'FORBIDDEN')
