/** Returns the credentials of a header `Authorization` of HTTP basic authentication, `user:password`. Null if it is malformed. */
export function parseBasicCredentials(header: string | undefined): string | null {
  const [, encoded] = /^basic +([\w+/-]+={0,2})$/i.exec(header ?? '') ?? []
  const credentials = Buffer.from(encoded ?? '', 'base64').toString()
  return credentials.includes(':') ? credentials : null
}
