import { HttpError } from '../http-error.ts'

/** Any user with any password signs in, but for passwords that start with `wrong`; some users meet a failure. */
export function requireUser(user: string, password: string): void {
  if (!user || !password) throw new HttpError(400, 'Send user and password')
  if (password.startsWith('wrong')) throw new HttpError(401, 'The user or the password is wrong')
  requireServed(user)
  if (user.startsWith('noscope')) throw new HttpError(403, 'This user may not use the API')
}

/** There is no signing in for users that start with `down`. */
export function requireServed(user: string): void {
  if (user.startsWith('down')) throw new HttpError(503, 'The sign-in is down')
}
