import type { Check } from './check.ts'
import { accessChecks } from './checks/access.ts'
import { changeChecks } from './checks/changes.ts'
import { connectionChecks, manualChecks } from './checks/connections.ts'
import { decisionChecks } from './checks/decisions.ts'
import { errorChecks } from './checks/errors.ts'
import { expandChecks } from './checks/expand.ts'
import { lifecycleChecks } from './checks/lifecycle.ts'
import { listChecks } from './checks/lists.ts'
import { lateMemberChecks, memberChecks } from './checks/members.ts'
import { onceChecks } from './checks/once.ts'
import { syncChecks } from './checks/syncs.ts'
import { windowChecks } from './checks/windows.ts'

/**
 * All checks. Those that only read are first, then those that change the suite's own connection, and last those that
 * use up an input.
 */
export const suite: readonly Check[] = [
  ...accessChecks,
  ...errorChecks,
  ...listChecks,
  ...expandChecks,
  ...windowChecks,
  ...decisionChecks,
  ...memberChecks,
  ...connectionChecks,
  ...changeChecks,
  ...manualChecks,
  ...syncChecks,
  ...lateMemberChecks,
  ...lifecycleChecks,
  ...onceChecks,
]
