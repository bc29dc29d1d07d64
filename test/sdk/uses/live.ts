import { OdographSession } from '@odograph/client/browser'

/** Your server creates a session for the signed-in user with `createSession` and returns its token. */
const session = new OdographSession({
  baseUrl: 'https://odograph.example.com',
  token: async () => (await fetch('/odograph-session', { method: 'POST' })).text(),
})

/** Shows new events of the fleet until the signal is aborted. */
export async function showEvents(show: (text: string) => void, signal: AbortSignal) {
  for await (const { type, timestamp } of session.followEvents({ from: 'now', signal }))
    show(`${timestamp} ${type}`)
}
