import { ProviderError } from '../provider-error.ts'
import { parseUrl } from '../../platform/parse-url.ts'

/** Maps the name of a server to its URL. */
export type UrlOf = (server: string) => string

/** Default server. Its response to a sign-in names the server that has the MyGeotab database of the fleet. */
export const DEFAULT_SERVER = 'my.geotab.com'

/** Returns the URL of a MyGeotab server. Rejects any other address, from the form of a fleet or from a response. */
export const geotabUrl: UrlOf = (server) => {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(server) ? server : `https://${server}`
  const url = parseUrl(address)
  if (url?.protocol !== 'https:' || url.port !== '' || !/^([a-z0-9-]+\.)+geotab\.com$/.test(url.hostname))
    throw new ProviderError(
      'invalid_credentials',
      'the server is not a MyGeotab server: its address is https without a port, and its name ends with .geotab.com',
    )
  return url.origin
}

/** Returns a function that maps the default server, and the host of a given URL, to this URL. */
export const geotabAt = (url: string): UrlOf => {
  const { host, origin } = new URL(url)
  return (server) => (server === DEFAULT_SERVER || server === host ? origin : geotabUrl(server))
}
