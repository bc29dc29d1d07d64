import { setImmediate } from 'node:timers/promises'
import { createEncryption } from '../../src/auth/envelope-encryption.ts'
import { reencrypt, countByKey } from '../../src/cli/reencrypt.ts'
import type { Database } from '../../src/storage/database.ts'
import {
  contextAt,
  nameOf,
  seedSealed,
  putIn,
  sealedIn,
  type SealedPlace,
} from '../support/secrets/sealed-rows.ts'
import { proofOnStores } from './proof.ts'
import { makeHome, type Store } from './support/service-process.ts'

const OLD = Buffer.alloc(32, 7)
const NEW = Buffer.alloc(32, 8)
const READERS = 3

/** Rotates the encryption key of every encrypted value during reads and writes. */
export const rotation = proofOnStores(
  {
    name: 'rotation',
    description: 'a rotation of the encryption key, during reads and writes, keeps every secret readable',
    options: {
      rows: { preset: 10_000, short: 300, description: 'rows of each table with encrypted columns' },
    },
  },
  (store, { rows }) => prove(store, rows),
)

interface Rotating {
  readonly db: Database
  readonly places: readonly SealedPlace[]
  readonly over: { is: boolean }
}

/** Rotates the key of this many rows of each table with encrypted columns. Returns the failures. */
export async function prove(store: Store, rows: number): Promise<string[]> {
  const home = await makeHome(store)
  const db = await home.open()
  try {
    await db.migrate()
    const places = await seedSealed(db, createEncryption(OLD), 'app_1', rows)
    const rotating = { db, places, over: { is: false } }
    const others = Promise.all([
      writing(rotating),
      ...Array.from({ length: READERS }, (_, at) => reading(rotating, at)),
    ])
    const secrets = createEncryption(() => [NEW, OLD])
    const begun = performance.now()
    const { reencrypted, undecryptable } = await reencrypt({ db, secrets }, () => undefined).finally(
      () => (rotating.over.is = true),
    )
    const seconds = (performance.now() - begun) / 1000
    const [written, ...read] = await others
    const reads = read.reduce((sum, { good }) => sum + good, 0)
    const bad = read.flatMap((each) => each.bad)
    console.log(
      `${store}: ${reencrypted} rows in ${seconds.toFixed(1)} s, ${reads} reads of which ${bad.length} failed, ${written.size} values written meanwhile`,
    )
    await reencrypt({ db, secrets }, () => undefined)
    return [
      ...bad.slice(0, 5).map((failure) => `${store}: a read failed: ${failure}`),
      ...(reads === 0 ? [`${store}: no read succeeded`] : []),
      ...(undecryptable.length > 0 ? [`${store}: ${undecryptable.length} rows were not opened`] : []),
      ...(await leftOver(store, rotating, written)),
    ]
  } finally {
    await db.close()
    await home.remove()
  }
}

/** Reads as a service with both keys does. */
async function reading({ db, places, over }: Rotating, first: number) {
  const secrets = createEncryption(() => [OLD, NEW])
  const bad: string[] = []
  let good = 0
  for (let at = first; !over.is; at += 7919) {
    const place = places[at % places.length]!
    try {
      const sealed = await sealedIn(db, place)
      const text = sealed === '' ? '' : secrets.open(sealed, contextAt(place))
      const isIts = text === '' || text.startsWith(nameOf(place.column, place.row))
      if (!isIts) throw new Error(`${place.row.id} has a foreign ${place.column}`)
      good++
    } catch (error) {
      bad.push((error as Error).message)
    }
    // SQLite responds synchronously and would block other tasks.
    await setImmediate()
  }
  return { good, bad }
}

/** Every fifth write clears a value, as a finished link run does. */
const EMPTIED = 5

/** Writes as a process does that still uses the old key. Returns its last value of each column. */
async function writing({ db, places, over }: Rotating): Promise<ReadonlyMap<SealedPlace, string>> {
  const old = createEncryption(() => [OLD, NEW])
  const written = new Map<SealedPlace, string>()
  for (let turn = 0; !over.is; turn++) {
    const place = places[(turn * 31) % places.length]!
    const text = turn % EMPTIED === 0 ? '' : `${nameOf(place.column, place.row)}as written in turn ${turn}`
    await putIn(db, place, text === '' ? '' : old.seal(text, contextAt(place)))
    written.set(place, text)
    await setImmediate()
  }
  return written
}

/** Checks that the new key alone decrypts every value correctly. */
async function leftOver(
  store: Store,
  { db, places }: Rotating,
  written: ReadonlyMap<SealedPlace, string>,
): Promise<string[]> {
  const alone = createEncryption(NEW)
  const others = [...(await countByKey({ db })).keys()].filter((id) => id !== alone.keyIds()[0])
  if (others.length > 0) return [`${store}: values still use key ${others.join(', ')}`]
  for (const place of places) {
    const sealed = await sealedIn(db, place)
    const text = sealed === '' ? '' : alone.open(sealed, contextAt(place))
    if (text !== (written.get(place) ?? place.text))
      return [`${store}: ${place.table}.${place.column} of ${place.row.id} is lost`]
  }
  return []
}
