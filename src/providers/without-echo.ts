/** Shorter ones stand in texts by chance. */
const LEAST_LENGTH = 8

/**
 * What a provider answered, without the credentials that it was asked with: some say them again, in records or in
 * errors, and what is stored must not hold them.
 */
export function withoutEcho(text: string, { authorization }: Readonly<Record<string, string>>): string {
  const secret = authorization?.replace(/^\w+ +/, '') ?? ''
  return secret.length < LEAST_LENGTH ? text : text.replaceAll(secret, '…')
}
