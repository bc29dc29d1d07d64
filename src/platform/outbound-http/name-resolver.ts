import { lookup, Resolver } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import type { ResolveName } from './guarded-connector.ts'

interface ResolverOptions {
  /** Defaults to the name servers of the system. */
  readonly nameServers?: readonly string[]
  readonly hostsFile?: string
}

/** Timeout of the first try. The second try takes twice as long, and both end before the connect deadline. */
const QUERY_TIMEOUT_MS = 1_000

/** Errors after which the system lookup may still find the name, by its hosts file or search domains. */
const NOT_FOUND = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

/**
 * Creates a resolver that queries name servers directly. The system lookup blocks one of the few threads of
 * the process, so a few names with dead servers would delay all others. It serves only names in the hosts
 * file, and names that the name servers do not know.
 */
export function createNameResolver({
  nameServers,
  hostsFile = '/etc/hosts',
}: ResolverOptions = {}): ResolveName {
  const servers = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: 2 })
  if (nameServers) servers.setServers(nameServers)
  const localNames = namesIn(hostsFile)
  const pending = new Map<string, ReturnType<ResolveName>>()
  const find = (host: string) => (localNames.has(host) ? systemLookup(host) : resolveWith(servers, host))
  return (host) => {
    const found = pending.get(host) ?? find(host).finally(() => pending.delete(host))
    pending.set(host, found)
    return found
  }
}

async function resolveWith(servers: Resolver, host: string): Promise<readonly string[]> {
  const [ipv4, ipv6] = await Promise.allSettled([servers.resolve4(host), servers.resolve6(host)])
  const found = [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (found.length > 0) return found
  const failed = [ipv4, ipv6].flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  const serverFailure = failed.find(({ code }) => !NOT_FOUND.has(code))
  if (serverFailure) throw serverFailure
  return systemLookup(host)
}

async function systemLookup(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true, verbatim: true })
  return found.map(({ address }) => address)
}

function namesIn(hostsFile: string): ReadonlySet<string> {
  try {
    const lines = readFileSync(hostsFile, 'utf8').split('\n')
    return new Set(
      lines.flatMap((line) => line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/).slice(1)),
    )
  } catch {
    return new Set()
  }
}
