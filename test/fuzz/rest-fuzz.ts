import { errorProblem } from '../conformance/checks/errors.ts'
import { shortened } from '../conformance/check.ts'
import { Failures } from './failures.ts'
import type { Fuzzed } from './fuzzed-service.ts'
import { poolOf } from './pool.ts'
import { Random } from './random.ts'
import { type Mutant, mutantOf } from './rest-requests.ts'
import { type Target, targetsOf } from './rest-operations.ts'
import type { Stored } from './stored.ts'
import { type Came, send } from './wire.ts'

/** Failures and number of requests of a run. */
export interface Findings {
  readonly failures: string[]
  readonly requested: number
  readonly statuses: Readonly<Record<string, number>>
}

/** Number of reads between two checks of the stored data. */
const READS = 40

interface Run {
  readonly fuzzed: Fuzzed
  readonly failures: Failures
  readonly statuses: Record<string, number>
  mark: string
}

/** Sends mutants of every operation in turn. The same seed sends the same requests to the same service. */
export async function fuzzRest(
  fuzzed: Fuzzed,
  { seed, runs }: { seed: number; runs: number },
): Promise<Findings> {
  const random = new Random(seed)
  const targets = await targetsOf(fuzzed.subject)
  const pool = await poolOf(fuzzed.subject)
  const { secretKey, connectionToken: token } = fuzzed.service.ready
  const run: Run = { fuzzed, failures: new Failures(), statuses: {}, mark: await fuzzed.stored.settled() }
  const reads: Mutant[] = []
  for (let at = 0; at < runs && !run.failures.enough; at++) {
    const mutant = mutantOf(random, targets[at % targets.length] as Target, pool, { secretKey, token })
    if (writes(mutant)) await one(run, mutant)
    else reads.push(mutant)
    if (reads.length === READS) await together(run, reads.splice(0))
  }
  await together(run, reads)
  return { failures: run.failures.list, requested: runs, statuses: run.statuses }
}

const writes = ({ method }: Mutant): boolean => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method)

/** Sends reads and checks that stored data is unchanged. */
async function together(run: Run, mutants: readonly Mutant[]): Promise<void> {
  for (const mutant of mutants) await judged(run, mutant)
  await unchanged(run, run.fuzzed.stored, mutants)
}

/** Sends a write. Checks that stored data is unchanged if it was refused. */
async function one(run: Run, mutant: Mutant): Promise<void> {
  const came = await judged(run, mutant)
  if (came && came.status < 300) return restored(run)
  await unchanged(run, run.fuzzed.stored, [mutant])
}

async function restored(run: Run): Promise<void> {
  const { subject, stored } = run.fuzzed
  await syncsCancelled(subject)
  const body = { status: 'connected', syncMode: 'automatic', filters: { vehicles: {}, drivers: {} } }
  await subject.send('PATCH', '/connections/current', { body })
  run.mark = await stored.settled()
}

/** Cancels syncs: one over the whole history would take long. */
async function syncsCancelled(subject: Run['fuzzed']['subject']): Promise<void> {
  for (const status of ['requested', 'in_progress']) {
    const { body } = await subject.send('GET', `/syncs?status=${status}`)
    for (const { id } of (body as { results?: readonly { id: string }[] }).results ?? [])
      await subject.send('POST', `/syncs/${id}/cancel`)
  }
}

async function unchanged(run: Run, stored: Stored, mutants: readonly Mutant[]): Promise<void> {
  if (mutants.length === 0) return
  const tables = stored.changes(run.mark, await stored.mark()).join(', ')
  if (tables === '') return
  const by =
    mutants.length === 1
      ? mutantText(mutants[0] as Mutant)
      : `one of ${mutants.length} reads, the last ${mutantText(mutants.at(-1) as Mutant)}`
  run.failures.add(`written ${tables}`, `${by}\n  something was written to ${tables}`)
  run.mark = await stored.settled()
}

async function judged(run: Run, mutant: Mutant): Promise<Came | null> {
  try {
    const came = await send(run.fuzzed.service.ready.url, mutant)
    run.statuses[came.status] = (run.statuses[came.status] ?? 0) + 1
    const problem = problemOf(mutant, came)
    if (problem)
      run.failures.add(
        `${problem} ${came.text.slice(0, 80)}`,
        `${mutantText(mutant)}\n  responded ${came.status} ${shortened(came.text, 400)}\n  ${problem}`,
      )
    return came
  } catch (error) {
    run.failures.add((error as Error).message, `${mutantText(mutant)}\n  ${(error as Error).message}`)
    return null
  }
}

const mutantText = ({ method, path, headers, body, changed }: Mutant): string =>
  `${method} ${shortened(path, 500)} (changed: ${changed.join(', ')})\n  headers ${shortened(JSON.stringify(headers.filter(([name]) => name !== 'authorization')), 300)}${body === undefined ? '' : `\n  body ${shortened(body, 500)}`}`

const LEAKS = /SQLITE|ER_[A-Z]+|node_modules|\bSELECT\b.*\bFROM\b|\bat [\w.<>]+ \(|\.ts:\d+/

/** Statuses of live calls whose provider failed. */
const OF_PROVIDERS = new Set([501, 502, 504])
const LIVE = /passthrough|locations|available-time|camera-media|connections|syncs/

function problemOf({ method, path, target, changed }: Mutant, came: Came): string | null {
  const { status, text, headers } = came
  if (status >= 500 && !(OF_PROVIDERS.has(status) && LIVE.test(target.path))) return 'a 5xx'
  if (LEAKS.test(text) && status >= 400) return 'the inside of the service shows'
  if (status < 400 || method === 'HEAD') return null
  // The HTTP parser refuses some requests before the service receives them.
  if (status === 431 || !path.toLowerCase().startsWith('/tsp/v1')) return null
  if (!String(headers['content-type']).startsWith('application/json')) return 'the refusal is no JSON'
  const body: unknown = JSON.parse(text)
  return errorProblem(status, body) ?? (status === 400 ? unnamed(body, changed) : null)
}

/** Returns a problem if a 400 does not name its parameter, unless the request was unparsable. */
function unnamed(body: unknown, changed: readonly string[]): string | null {
  const { detail } = body as { detail?: readonly { path: string }[] }
  const unreadable = changed.some((what) =>
    ['the form of the query', 'the path', 'the body', 'the id in the path'].includes(what),
  )
  if (!detail || detail.length === 0) return unreadable ? null : 'the 400 names nothing'
  const sound = detail.every(({ path }) => /^\{request(Query|Body|Params|Headers)\}/.test(path))
  return sound ? null : 'a path in detail does not start with its part of the request'
}
