import { lookup, Resolver } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import type { ResolveName } from './guarded-connector.ts'

interface Sources {
  /** Without them those of the system. */
  readonly nameServers?: readonly string[]
  readonly hostsFile?: string
}

/** For the first try; a second takes twice as long, and both are over before a connection must be there. */
const ANSWER_MS = 1_000

/** What name servers say of a name that the system's own lookup may still know, by its hosts file or search domains. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

/**
 * What names stand for. Name servers are asked directly: the system's own lookup blocks one of the few threads that the
 * whole process has, so that a handful of names whose servers are dead would hold up everybody else's. It is asked for
 * what is in the hosts file, and for what the name servers do not know.
 */
export function createNameResolver({ nameServers, hostsFile = '/etc/hosts' }: Sources = {}): ResolveName {
  const servers = new Resolver({ timeout: ANSWER_MS, tries: 2 })
  if (nameServers) servers.setServers(nameServers)
  const local = namesIn(hostsFile)
  const asked = new Map<string, ReturnType<ResolveName>>()
  const find = (host: string) => (local.has(host) ? systemAnswer(host) : answerOf(servers, host))
  return (host) => {
    const found = asked.get(host) ?? find(host).finally(() => asked.delete(host))
    asked.set(host, found)
    return found
  }
}

async function answerOf(servers: Resolver, host: string): Promise<readonly string[]> {
  const [four, six] = await Promise.allSettled([servers.resolve4(host), servers.resolve6(host)])
  const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (found.length > 0) return found
  const failed = [four, six].flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  const grave = failed.find(({ code }) => !UNKNOWN.has(code))
  if (grave) throw grave
  return systemAnswer(host)
}

async function systemAnswer(host: string): Promise<readonly string[]> {
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
