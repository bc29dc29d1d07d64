import { OdographSession } from '@odograph/client/browser'

/** Your server creates a session (`createSession`) for the signed-in user, and returns its token. */
const session = new OdographSession({
  baseUrl: 'https://odograph.example.com',
  token: async () => (await fetch('/odograph-session', { method: 'POST' })).text(),
})

/** What happens to the fleet from now on, until the page is left. */
export async function showEvents(show: (text: string) => void, signal: AbortSignal) {
  for await (const { type, timestamp } of session.followEvents({ from: 'now', signal }))
    show(`${timestamp} ${type}`)
}
