import type { RemotePlace } from './executor.ts'
import { byCredentials, byName } from './introduce.ts'
import { Line } from './line.ts'

interface PlaceOptions {
  /** The names of this service's own subgraphs: those alone are given the caller's keys. */
  readonly ours: readonly string[]
  readonly timeoutMs: number
  /** What the introductions of callers to an operator's own subgraphs are signed with. */
  readonly secret?: string | undefined
}

/** The subgraphs that are in other processes, by their addresses. */
export function remotePlaces(
  urls: ReadonlyMap<string, string>,
  { ours, timeoutMs, secret }: PlaceOptions,
): Map<string, RemotePlace> {
  const isForeign = (name: string) => !ours.includes(name)
  return new Map(
    [...urls].map(([name, url]): [string, RemotePlace] => [
      name,
      {
        line: new Line({ name, url, timeoutMs }),
        introduce: isForeign(name) ? byName(secret) : byCredentials,
        isForeign: isForeign(name),
      },
    ]),
  )
}
