import { setImmediate } from 'node:timers/promises'
import { secretBox } from '../../src/auth/secret-box.ts'
import { reseal, sealedUnder } from '../../src/cli/reseal.ts'
import type { Database } from '../../src/storage/database.ts'
import { tableOf } from '../../src/storage/table.ts'
import { Connection } from '../../src/subgraphs/connections/connection.ts'
import { connectionRow } from '../factories.ts'
import { proofOnStores } from './proof.ts'
import { makeHome, type Store } from './service-process.ts'

const OLD = Buffer.alloc(32, 7)
const NEW = Buffer.alloc(32, 8)
const READERS = 3

/** Everything sealed comes under a new key while others read and write. */
export const rotation = proofOnStores(
  {
    name: 'rotation',
    says: 'a rotation of the encryption key, while others read and write, keeps every secret readable',
    options: { rows: { preset: 10_000, says: 'connections, with a token and credentials each' } },
  },
  (store, { rows }) => prove(store, rows),
)

interface Rotating {
  readonly db: Database
  readonly tokens: ReadonlyMap<string, string>
  readonly ids: readonly string[]
  readonly over: { is: boolean }
}

/** Rotates the key of so many connections, and gives what is wrong. */
export async function prove(store: Store, rows: number): Promise<string[]> {
  const home = await makeHome(store)
  const db = await home.open()
  try {
    await db.migrate()
    const tokens = await plant(db, rows)
    const rotating = { db, tokens, ids: [...tokens.keys()], over: { is: false } }
    const others = Promise.all([
      writing(rotating),
      ...Array.from({ length: READERS }, (_, at) => reading(rotating, at)),
    ])
    const secrets = secretBox(() => [NEW, OLD])
    const begun = performance.now()
    const { resealed, unopened } = await reseal({ db, secrets }, () => undefined).finally(
      () => (rotating.over.is = true),
    )
    const seconds = (performance.now() - begun) / 1000
    const [written, ...read] = await others
    const reads = read.reduce((sum, { good }) => sum + good, 0)
    const bad = read.flatMap((each) => each.bad)
    console.log(
      `${store}: ${resealed} rows in ${seconds.toFixed(1)} s, ${reads} reads of which ${bad.length} failed, ${written.size} rows written meanwhile`,
    )
    await reseal({ db, secrets }, () => undefined)
    return [
      ...bad.slice(0, 5).map((failure) => `${store}: a read failed: ${failure}`),
      ...(reads === 0 ? [`${store}: nobody read`] : []),
      ...(unopened.length > 0 ? [`${store}: ${unopened.length} rows were not opened`] : []),
      ...(await leftOver(store, rotating, written)),
    ]
  } finally {
    await db.close()
    await home.remove()
  }
}

async function plant(db: Database, count: number): Promise<ReadonlyMap<string, string>> {
  const rows = Array.from({ length: count }, (_, at) => connectionRow('app_1', `con_tkn_${at}`))
  await db.transaction((tx) => tx.insert(tableOf(Connection), rows))
  return new Map(rows.map(({ id }, at) => [id, `con_tkn_${at}`]))
}

async function sealedOf(db: Database, id: string) {
  const [row] = await db.rows<{ tokenSealed: string; credentialsSealed: string }>(
    'SELECT `tokenSealed`, `credentialsSealed` FROM `connections` WHERE `id` = ?',
    [id],
  )
  if (!row) throw new Error(`${id} is gone`)
  return row
}

/** Reads as a service that knows both keys does. */
async function reading({ db, ids, tokens, over }: Rotating, first: number) {
  const secrets = secretBox(() => [OLD, NEW])
  const bad: string[] = []
  let good = 0
  for (let at = first; !over.is; at += 7919) {
    const id = String(ids[at % ids.length])
    try {
      const { tokenSealed, credentialsSealed } = await sealedOf(db, id)
      secrets.open(credentialsSealed, id)
      if (secrets.open(tokenSealed, id) !== tokens.get(id)) throw new Error(`${id} has another's token`)
      good++
    } catch (error) {
      bad.push((error as Error).message)
    }
    // The embedded database answers at once, and would let nobody else have a turn.
    await setImmediate()
  }
  return { good, bad }
}

/** Writes as a process does that does not know yet that the key has changed; gives what it wrote last, by row. */
async function writing({ db, ids, over }: Rotating): Promise<ReadonlyMap<string, string>> {
  const old = secretBox(() => [OLD, NEW])
  const written = new Map<string, string>()
  for (let turn = 0; !over.is; turn++) {
    const id = String(ids[(turn * 31) % ids.length])
    const secret = JSON.stringify({ turn })
    await db.transaction((tx) =>
      tx.run('UPDATE `connections` SET `credentialsSealed` = ? WHERE `id` = ?', [old.seal(secret, id), id]),
    )
    written.set(id, secret)
    await setImmediate()
  }
  return written
}

/** With the new key alone everything opens, and is what it was. */
async function leftOver(
  store: Store,
  { db, ids, tokens }: Rotating,
  written: ReadonlyMap<string, string>,
): Promise<string[]> {
  const alone = secretBox(NEW)
  const others = [...(await sealedUnder({ db })).keys()].filter((id) => id !== alone.keyIds()[0])
  if (others.length > 0) return [`${store}: something is still under key ${others.join(', ')}`]
  for (const id of ids) {
    const { tokenSealed, credentialsSealed } = await sealedOf(db, id)
    if (alone.open(tokenSealed, id) !== tokens.get(id)) return [`${store}: ${id} lost its token`]
    if (alone.open(credentialsSealed, id) !== (written.get(id) ?? '{}'))
      return [`${store}: what was written to ${id} meanwhile is lost`]
  }
  return []
}
