import { HttpError } from '../http-error.ts'

/**
 * Throws for an empty user or password, and for values that simulate errors: passwords that start with `wrong`,
 * users that start with `down` or `noscope`. Any other user can sign in with any other password.
 */
export function requireUser(user: string, password: string): void {
  if (!user || !password) throw new HttpError(400, 'Send user and password')
  if (password.startsWith('wrong')) throw new HttpError(401, 'The user or the password is wrong')
  requireAvailable(user)
  if (user.startsWith('noscope')) throw new HttpError(403, 'This user may not use the API')
}

/** Throws for users that start with `down`: they simulate an outage of the sign-in. */
export function requireAvailable(user: string): void {
  if (user.startsWith('down')) throw new HttpError(503, 'The sign-in is unavailable')
}
