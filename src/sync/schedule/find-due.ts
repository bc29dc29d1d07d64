import { pollIntervalMs, queuePolls } from '../../queue/polls.ts'
import type { Transaction } from '../../storage/database.ts'
import type { SyncTools } from '../run.ts'
import { beatAfter, nextTurn } from './beat.ts'
import { pollAllHinted, syncAllHinted } from './find-hinted.ts'
import { requestInTurn } from './request-in-turn.ts'
import { type Cadence, type Due, dueBy, moveTurns, takeTurn } from './schedule.ts'

/** Of what is due, this much is in the queue at once; the rest waits in its rows, who is due longest first. */
const MOST_SYNCS = 256
const MOST_POLLS = 256
/** While syncs have to wait, polling gets by with less: each connection is polled more seldom then. */
const MOST_POLLS_BESIDE_SYNCS = 16
/** Those that providers have hinted at take half of the room for polls at most. */
const HINTED = 1 / 2
const AT_ONCE = 4

/** What the schedules say is due goes into the queue, as much as it can take. */
export async function findDue(tools: SyncTools, cadence: Cadence): Promise<void> {
  const { queue } = tools
  const syncs = await queue.waiting('sync-connection')
  const room = MOST_SYNCS - syncs
  const dueSyncs = await dueBy(tools, 'nextSyncAt', room)
  for (let at = 0; at < dueSyncs.length; at += AT_ONCE)
    await Promise.all(dueSyncs.slice(at, at + AT_ONCE).map((due) => requestDue(tools, cadence, due)))

  await syncAllHinted(tools, room - dueSyncs.length)

  const polls = await queue.waiting('poll-latest')
  const most = (syncs > 0 ? MOST_POLLS_BESIDE_SYNCS : MOST_POLLS) - polls
  const hinted = await pollAllHinted(tools, most * HINTED)
  await pollDue(tools, cadence, await dueBy(tools, 'nextPollAt', most - hinted))
}

/** A sync and the turn after it are written together: no turn is missed, and none comes twice. */
async function requestDue(tools: SyncTools, { syncMs }: Cadence, due: Due): Promise<void> {
  const { db, clock } = tools
  const next = nextTurn(due.id, clock.now(), syncMs)
  const take = (tx: Transaction) => takeTurn(tx, 'nextSyncAt', due, next)
  if ((await requestInTurn(tools, due, take)) === 'refused') await db.transaction(take)
}

/** A poll that is late is not made up for: the next one is on the beat again. */
async function pollDue(tools: SyncTools, { pollMs }: Cadence, dues: readonly Due[]): Promise<void> {
  const { db, queue, clock } = tools
  if (dues.length === 0) return
  const now = clock.now()
  const turns = dues.map((due) => ({ due, everyMs: pollIntervalMs(due.options, pollMs) }))
  const nexts = turns.map(({ due, everyMs }) => [due.id, beatAfter(due.id, now, everyMs)] as const)
  await db.transaction((tx) => moveTurns(tx, 'nextPollAt', nexts))
  for (let at = 0; at < turns.length; at += AT_ONCE)
    await Promise.all(
      turns
        .slice(at, at + AT_ONCE)
        .map(({ due, everyMs }) => queuePolls(queue, due.id, due.dueAt - everyMs, now)),
    )
}
