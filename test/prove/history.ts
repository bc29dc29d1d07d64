import type { Database } from '../../src/storage/database.ts'
import { proofOnStores } from './proof.ts'
import { type RestApp, restAppOver } from './support/rest-app.ts'
import { type Home, makeHome, type Store } from './support/service-process.ts'
import { partHistory, storeHistory } from './support/stored-history.ts'

/**
 * Measures pages of a vehicle's history: the last page must be as fast as the first, and as fast in a table
 * ten times larger.
 */
export const history = proofOnStores(
  {
    name: 'history',
    description: "a page of a vehicle's history takes no longer at its end nor in a larger table",
    options: {
      rows: {
        preset: 5_000_000,
        short: 100_000,
        description: 'stored location points, and as many measurements',
      },
      partitions: { preset: 1, description: 'number of time partitions on MariaDB; 1 for none' },
      repetitions: { preset: 100, short: 20, description: 'number of reads of each page' },
      'most-ratio': { preset: 2, description: 'maximum ratio of the slower page' },
    },
  },
  prove,
)

interface Values {
  readonly rows: number
  readonly partitions: number
  readonly repetitions: number
  readonly 'most-ratio': number
}

/** Lists that are read to their end, by the path after the vehicle id; the share is of its points. */
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
const MEASURED = 50
/** Positions of the measured pages in the list. */
const DEPTHS = [0, 0.1, 0.3, 0.6, 1] as const

async function prove(
  store: Store,
  { rows, partitions, repetitions, 'most-ratio': mostRatio }: Values,
): Promise<readonly string[]> {
  const failures: string[] = []
  await using small = await openHistory(store, Math.floor(rows / 10), partitions)
  await using large = await openHistory(store, rows, partitions)
  for (const list of lists) {
    const [ofSmall, ofLarge] = [await pagesOf(small, list), await pagesOf(large, list)]
    const medians = await measure([...ofSmall, ...ofLarge], repetitions)
    const [inTenth, inWhole] = [medians.slice(0, DEPTHS.length), medians.slice(DEPTHS.length)]
    failures.push(...judge(`${store}: ${list.name}`, inTenth, inWhole, mostRatio))
  }
  return failures
}

interface OpenHistory extends AsyncDisposable {
  readonly app: RestApp
  readonly rows: number
  readonly vehicleId: string
  readonly points: number
}

async function openHistory(store: Store, rows: number, partitions: number): Promise<OpenHistory> {
  const home = await makeHome(store)
  let db: Database | undefined
  try {
    db = await home.open()
    await db.migrate()
    if (store === 'mariadb' && partitions > 1) await partHistory(db, rows, partitions)
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

interface Body {
  readonly results: readonly Readonly<Record<string, string>>[]
  readonly next?: string
}

type ReadPage = () => Promise<unknown>

/** Reads a list to its end. Returns equally sized pages from first to last. */
async function pagesOf(of: OpenHistory, list: List): Promise<ReadPage[]> {
  const begun = performance.now()
  const path = `/vehicles/${of.vehicleId}/${list.path}`
  const cursors: string[] = []
  let [seen, latest] = [0, '']
  for (let next: string | undefined = ''; next !== undefined;) {
    cursors.push(next && `&cursor=${next}`)
    const body: Body = await of.app.get(`${path}limit=${WALKED}${cursors.at(-1)}`)
    for (const row of body.results) {
      const time = row[list.time]!
      if (time <= latest) throw new Error(`${list.name}: ${time} comes after ${latest}`)
      latest = time
    }
    seen += body.results.length
    next = body.next
  }
  if (seen !== of.points * list.share)
    throw new Error(`${list.name}: ${seen} of ${of.points * list.share} rows`)
  const seconds = (performance.now() - begun) / 1000
  console.log(`  ${list.name}: ${seen} of ${of.rows} rows read to the end in ${seconds.toFixed(1)} s`)
  return DEPTHS.map((depth) => {
    const cursor = cursors[Math.floor(depth * (cursors.length - 1))]
    return () => of.app.get(`${path}limit=${MEASURED}${cursor}`)
  })
}

/** Returns the median time of each page in ms. Pages are read in turn, so that a slow machine affects all. */
async function measure(pages: readonly ReadPage[], repetitions: number): Promise<number[]> {
  const times = pages.map((): number[] => [])
  for (let at = -10; at < repetitions; at++)
    for (const [page, read] of pages.entries()) {
      const begun = performance.now()
      await read()
      if (at >= 0) times[page]!.push(performance.now() - begun)
    }
  return times.map((all) => all.sort((one, other) => one - other)[all.length >> 1]!)
}

function judge(
  what: string,
  inTenth: readonly number[],
  inWhole: readonly number[],
  mostRatio: number,
): string[] {
  const [first = Number.NaN] = inWhole
  return DEPTHS.flatMap((depth, at) => {
    const [whole, tenth] = [inWhole[at]!, inTenth[at]!]
    const [byDepth, bySize] = [whole / first, whole / tenth]
    const where = `${what}: page at ${100 * depth} %`
    console.log(
      `${where}: ${whole.toFixed(2)} ms, ${byDepth.toFixed(2)} of the first page; ${tenth.toFixed(2)} ms in a tenth of the table, ratio ${bySize.toFixed(2)}`,
    )
    return [
      ...(byDepth <= mostRatio ? [] : [`${where} takes ${byDepth.toFixed(2)} times the first page`]),
      ...(bySize <= mostRatio ? [] : [`${where} takes ${bySize.toFixed(2)} times that of a tenth`]),
    ]
  })
}
