import { ProviderError } from '../provider-error.ts'
import { parseUrl } from '../../platform/parse-url.ts'

/** Where a server listens. */
export type UrlOf = (server: string) => string

/** Where everybody's sign-in begins: it tells which server has the database. */
export const FIRST_SERVER = 'my.geotab.com'

/** Of a server of MyGeotab, as a fleet or MyGeotab itself names it; no other is ever asked. */
export const geotabUrl: UrlOf = (server) => {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(server) ? server : `https://${server}`
  const url = parseUrl(address)
  if (url?.protocol !== 'https:' || url.port !== '' || !/^([a-z0-9-]+\.)+geotab\.com$/.test(url.hostname))
    throw new ProviderError('revoked', 'the server is none of MyGeotab')
  return url.origin
}

/** Of servers of which all that is asked of the first, and of no other, is answered at one address. */
export const geotabAt = (url: string): UrlOf => {
  const { host, origin } = new URL(url)
  return (server) => (server === FIRST_SERVER || server === host ? origin : geotabUrl(server))
}
