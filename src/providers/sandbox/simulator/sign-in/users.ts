import { HttpError } from '../http-error.ts'

/**
 * Throws without user or password, and for test values: passwords that start with `wrong`, users that start
 * with `down` or `noscope`. All others can sign in.
 */
export function requireUser(user: string, password: string): void {
  if (!user || !password) throw new HttpError(400, 'Send user and password')
  if (password.startsWith('wrong')) throw new HttpError(401, 'The user or the password is wrong')
  requireServed(user)
  if (user.startsWith('noscope')) throw new HttpError(403, 'This user may not use the API')
}

/** Throws for users that start with `down`: their sign-in is unavailable. */
export function requireServed(user: string): void {
  if (user.startsWith('down')) throw new HttpError(503, 'The sign-in is unavailable')
}
