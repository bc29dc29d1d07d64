import type { Database } from '../../src/storage/database.ts'
import { proofOnStores } from './proof.ts'
import { type RestApp, restAppOver } from './rest-app.ts'
import { type Home, makeHome, type Store } from './service-process.ts'
import { storeHistory } from './stored-history.ts'

/** A page of a vehicle's history takes as long at its end as at its start, and as long in a table ten times larger. */
export const history = proofOnStores(
  {
    name: 'history',
    says: "a page of a vehicle's history takes no longer at its end nor in a larger table",
    options: {
      rows: { preset: 5_000_000, says: 'how many points are stored of tracks, and as many measurements' },
      repetitions: { preset: 100, says: 'how often each page is read' },
      'most-ratio': { preset: 2, says: 'how many times as long the slower page may take' },
    },
  },
  (store, { rows, repetitions, 'most-ratio': mostRatio }) => prove(store, rows, repetitions, mostRatio),
)

/** The lists that are read to their end, by what follows the vehicle's id; the share is of its points. */
const lists = [
  { name: 'locations', path: 'locations?', time: 'locatedAt', share: 1 },
  { name: 'stats', path: 'stats/historical?', time: 'timestamp', share: 1 },
  {
    name: 'stats of two types',
    path: 'stats/historical?types=odometer,engine_rpm&',
    time: 'timestamp',
    share: 0.5,
  },
] as const

type List = (typeof lists)[number]

const WALKED = 1000
const MEASURED = 100

async function prove(
  store: Store,
  rows: number,
  repetitions: number,
  mostRatio: number,
): Promise<readonly string[]> {
  const failures: string[] = []
  await using small = await openHistory(store, Math.floor(rows / 10))
  await using large = await openHistory(store, rows)
  for (const list of lists) {
    const places = [...(await placesIn(small, list)), ...(await placesIn(large, list))]
    const medians = await measure(places, repetitions)
    failures.push(...judge(store, list, medians, mostRatio))
  }
  return failures
}

interface OpenHistory extends AsyncDisposable {
  readonly app: RestApp
  readonly rows: number
  readonly vehicleId: string
  readonly points: number
}

async function openHistory(store: Store, rows: number): Promise<OpenHistory> {
  const home = await makeHome(store)
  let db: Database | undefined
  try {
    db = await home.open()
    await db.migrate()
    const begun = performance.now()
    const { application, big } = await storeHistory(db, rows)
    const seconds = (performance.now() - begun) / 1000
    console.log(`${store}: ${rows} points and as many measurements stored in ${seconds.toFixed(0)} s`)
    const app = restAppOver(db, application.narrowed(0))
    return { app, rows, ...big, [Symbol.asyncDispose]: () => close(home, db, app) }
  } catch (error) {
    await close(home, db)
    throw error
  }
}

async function close(home: Home, db?: Database, app?: RestApp): Promise<void> {
  await app?.close()
  await db?.close()
  await home.remove()
}

/** A page of a list, to be read again and again. */
interface Place {
  readonly name: string
  read(): Promise<void>
}

interface Body {
  readonly results: readonly Readonly<Record<string, string>>[]
  readonly next?: string
}

/** Reads a list to its end; gives its first page and its last, each of the same size. */
async function placesIn(of: OpenHistory, list: List): Promise<Place[]> {
  const begun = performance.now()
  const path = `/vehicles/${of.vehicleId}/${list.path}`
  let [seen, latest, cursor] = [0, '', '']
  for (let next: string | undefined = ''; next !== undefined;) {
    cursor = next
    const body: Body = await of.app.get(`${path}limit=${WALKED}${cursor && `&cursor=${cursor}`}`)
    for (const row of body.results) {
      const time = row[list.time]!
      if (time <= latest) throw new Error(`${list.name}: ${time} comes after ${latest}`)
      latest = time
    }
    seen += body.results.length
    next = body.next
  }
  if (seen !== of.points * list.share)
    throw new Error(`${list.name}: ${seen} of ${of.points * list.share} rows came`)
  const seconds = (performance.now() - begun) / 1000
  console.log(`  ${list.name}: ${seen} of ${of.rows} rows read to the end in ${seconds.toFixed(1)} s`)
  const pageAt = (name: string, after: string): Place => ({
    name,
    read: async () => void (await of.app.get(`${path}limit=${MEASURED}${after && `&cursor=${after}`}`)),
  })
  return [pageAt('first', ''), pageAt('last', cursor)]
}

/** The median time of each page in milliseconds; they are read in turn, so that whatever slows one slows all. */
async function measure(places: readonly Place[], repetitions: number): Promise<number[]> {
  const times = places.map((): number[] => [])
  for (let at = -10; at < repetitions; at++)
    for (const [place, { read }] of places.entries()) {
      const begun = performance.now()
      await read()
      if (at >= 0) times[place]!.push(performance.now() - begun)
    }
  return times.map((all) => all.sort((one, other) => one - other)[all.length >> 1]!)
}

function judge(store: Store, { name }: List, medians: readonly number[], mostRatio: number): string[] {
  const [smallFirst, smallLast, first, last] = medians as [number, number, number, number]
  const ratios = {
    'last page : first page': last / first,
    'first page : first page of a tenth of the table': first / smallFirst,
    'last page : last page of a tenth of the table': last / smallLast,
  }
  console.log(
    `${store}: ${name}: first page ${first.toFixed(2)} ms, last page ${last.toFixed(2)} ms; of a tenth ${smallFirst.toFixed(2)} and ${smallLast.toFixed(2)} ms`,
  )
  return Object.entries(ratios).flatMap(([says, ratio]) => {
    console.log(`${store}: ${name}: ${says}: ${ratio.toFixed(2)}`)
    return ratio <= mostRatio ? [] : [`${store}: ${name}: ${says} is ${ratio.toFixed(2)}, not ${mostRatio}`]
  })
}
