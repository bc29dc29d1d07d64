import {
  type LinkRun,
  type LinkOptions,
  linkAddress,
  type ReconnectOptions,
  reconnectAddress,
} from './link/address.ts'
import { openFrame } from './link/frame.ts'
import { LinkError, type LinkOutcome } from './link/outcome.ts'
import { openWindow } from './link/window.ts'

export {
  type LinkOptions,
  linkAddress,
  type LinkRun,
  type ReconnectOptions,
  reconnectAddress,
} from './link/address.ts'
export { type GraphQLProblem, OdographError, OdographGraphQLError } from './errors.ts'
export type { Following } from './events/follow-events.ts'
export type { SessionEvent } from './events/session-event.ts'
export type { FollowEvents } from './events/event-sources.ts'
export type { Event, KnownEvent, UnknownEvent } from './generated.ts'
export type { ExecuteGraphQL, TypedDocument } from './graphql.ts'
export { LinkError, type LinkOutcome } from './link/outcome.ts'
export { OdographSession, type SessionOptions } from './session.ts'

/**
 * Opens the link pages in a frame, over the page or in `container`, or in a separate window. Resolves with a public
 * token, or with `cancelled` when the user closes the pages. Your server exchanges the public token for a connection
 * token. Rejects if the browser blocks the window, and when `signal` aborts.
 *
 * Browsers open a window only in response to a click. Add the origin of your page to the link origins of the
 * application: the link pages send the result to no other page. In a sandbox, pages on localhost get it too.
 */
export const openLink = (options: LinkOptions): Promise<LinkOutcome> => open(linkAddress(options), options)

/** Opens the link pages for an existing connection. The fleet signs in to the same account again. */
export const reconnect = (options: ReconnectOptions): Promise<LinkOutcome> =>
  open(reconnectAddress(options), options)

/** Message of the link pages. Some messages are only a string, the type; `messageIn` converts them to this form. */
interface Message {
  readonly type?: unknown
  readonly payload?: { readonly publicToken?: unknown }
}

function open(address: URL, run: LinkRun): Promise<LinkOutcome> {
  return new Promise((resolve, reject) => {
    run.signal?.throwIfAborted()
    const leave = () => settle(() => resolve({ status: 'cancelled' }))
    const listen = (event: MessageEvent<unknown>) => {
      // Any window can send messages to this page. Only messages of the opened window, from the origin of the link
      // pages, count.
      if (event.origin !== address.origin || event.source !== shown.source()) return
      const { type, payload } = messageIn(event.data)
      const token = payload?.publicToken
      if (type === 'SUCCESS' && typeof token === 'string')
        settle(() => resolve({ status: 'linked', publicToken: token }))
      else if (type === 'EXIT' || type === 'CLOSE') leave()
    }
    const abort = () => settle(() => reject(run.signal?.reason))
    const settle = (end: () => void) => {
      removeEventListener('message', listen)
      run.signal?.removeEventListener('abort', abort)
      shown.close()
      end()
    }
    addEventListener('message', listen)
    run.signal?.addEventListener('abort', abort)
    const shown = run.mode === 'window' ? openWindow(address, leave) : openFrame(address, run, leave)
    if (shown.source() === null)
      settle(() => reject(new LinkError('blocked', 'The browser blocked the window: open it from a click.')))
  })
}

const messageIn = (data: unknown): Message => {
  if (typeof data === 'string') return { type: data }
  return typeof data === 'object' && data !== null ? data : {}
}
