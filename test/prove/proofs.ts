import { fuzz } from '../fuzz/proof.ts'
import { brokenOnPurpose } from './broken-on-purpose/broken-on-purpose.ts'
import { chaos } from './chaos/chaos.ts'
import { deliveries } from './deliveries/deliveries.ts'
import { deletion } from './deletion/deletion.ts'
import { eventLog } from './event-log/event-log.ts'
import { fairness } from './fairness/fairness.ts'
import { galera } from './galera.ts'
import { hostileReceivers } from './hostile-receivers/hostile-receivers.ts'
import { history } from './history.ts'
import { killedSync } from './killed-sync.ts'
import { largeFleet } from './large-fleet.ts'
import { lateRecords } from './late-records/late-records.ts'
import { limits } from './limits/limits.ts'
import { live } from './live/live.ts'
import { nodeVersions } from './node-versions.ts'
import type { Proof } from './proof.ts'
import { providerBudgets } from './provider-budgets/provider-budgets.ts'
import { providers } from './providers/providers.ts'
import { purchaseFaults } from './purchase-faults/purchase-faults.ts'
import { purchases } from './purchases/purchases.ts'
import { rawSockets } from './raw-sockets/raw-sockets.ts'
import { replay } from './replay/replay.ts'
import { restore } from './restore.ts'
import { retrySchedule } from './retry-schedule/retry-schedule.ts'
import { rollingRestart } from './rolling-restart.ts'
import { rotation } from './rotation.ts'
import { schedule } from './schedule.ts'
import { settings } from './settings/settings.ts'
import { subscriptions } from './subscriptions/subscriptions.ts'
import { twoWorkers } from './two-workers.ts'

export const proofs: readonly Proof[] = [
  largeFleet,
  killedSync,
  history,
  fuzz,
  rawSockets,
  fairness,
  limits,
  chaos,
  eventLog,
  deliveries,
  subscriptions,
  hostileReceivers,
  twoWorkers,
  rotation,
  schedule,
  settings,
  retrySchedule,
  purchases,
  purchaseFaults,
  replay,
  deletion,
  rollingRestart,
  providers,
  providerBudgets,
  lateRecords,
  galera,
  restore,
  brokenOnPurpose,
  nodeVersions,
  live,
]
