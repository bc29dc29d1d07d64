import { ProviderError } from '../provider-error.ts'
import { parseUrl } from '../../platform/parse-url.ts'

/** Maps the name of a server to its URL. */
export type UrlOf = (server: string) => string

/** Central server. Sign-in starts here, and its response names the server of the database. */
export const FIRST_SERVER = 'my.geotab.com'

/** Returns the URL of a MyGeotab server. Rejects any other host, whether a fleet or MyGeotab names it. */
export const geotabUrl: UrlOf = (server) => {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(server) ? server : `https://${server}`
  const url = parseUrl(address)
  if (url?.protocol !== 'https:' || url.port !== '' || !/^([a-z0-9-]+\.)+geotab\.com$/.test(url.hostname))
    throw new ProviderError(
      'revoked',
      'the server is not a MyGeotab server: its name must end with .geotab.com',
    )
  return url.origin
}

/** Maps the central server to a given URL; other servers are MyGeotab's. */
export const geotabAt = (url: string): UrlOf => {
  const { host, origin } = new URL(url)
  return (server) => (server === FIRST_SERVER || server === host ? origin : geotabUrl(server))
}
