import { basePath } from '../shell/base-path.ts'

/** What a person signs in with: the code of a sign-in link, or a secret key. */
export type SignInInput = { readonly code: string } | { readonly secretKey: string }

const SESSION_URL = `${basePath}/dashboard/session`

/** Signs in. The browser then has the cookie of the session. Returns the message of the service if it refuses. */
export async function signIn(input: SignInInput): Promise<string | null> {
  const response = await fetch(SESSION_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  return response.ok ? null : messageOf(response)
}

/** Whether the browser has a session that still reads. Throws if the service cannot be reached. */
export async function isSignedIn(): Promise<boolean> {
  const response = await fetch(SESSION_URL)
  if (!response.ok) throw new Error((await messageOf(response)) ?? undefined)
  return response.status === 200
}

/** Ends the session and removes its cookie. */
export async function signOut(): Promise<string | null> {
  const response = await fetch(SESSION_URL, { method: 'DELETE' })
  return response.ok ? null : messageOf(response)
}

/** Returns the message of an error response, with its details. */
async function messageOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null)
  const { message, detail } = (body ?? {}) as { readonly message?: string; readonly detail?: unknown }
  if (message === undefined)
    return `The service answered with the status ${response.status}. Try again later.`
  const seconds = response.headers.get('retry-after')
  const advice = seconds === null ? detail : `Try again in ${seconds} seconds.`
  // Without a detail, an error has the id of its request there, which is no sentence.
  return typeof advice === 'string' && advice.includes(' ') ? `${message} ${advice}` : message
}
