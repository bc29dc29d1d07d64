import { isDeepStrictEqual } from 'node:util'
import { keyHolder } from '../src/auth/caller.ts'
import { compose } from '../src/gateway/compose.ts'
import {
  type Executor,
  createInterpretedExecutor,
  type OperationRequest,
} from '../src/gateway/execution/executor.ts'
import { createInProcessExecutor } from '../src/gateway/gateway.ts'
import { soleOperation } from '../src/gateway/operation.ts'
import { subgraphs } from '../src/gateway/subgraphs.ts'
import { compared, type Measured } from './report.ts'
import { inTurn, type Running } from './rounds.ts'
import { contextsOver, readDatabase } from './servers.ts'
import type { Store } from './stores.ts'
import { type WorkloadName, workloads } from './workloads.ts'

/**
 * Compares the executor, which compiles operations, with graphql-js, which interprets them. Both run in this process,
 * over the same fused schema (one schema with all subgraphs) and the same document.
 */

type Run = () => Promise<unknown>

export async function compareExecutors(
  { location, fleet }: Store,
  names: readonly WorkloadName[],
  running: Running,
): Promise<void> {
  const contextFor = contextsOver(await readDatabase(location))
  const compiled = createInProcessExecutor(compose(subgraphs))
  const executors = [compiled, createInterpretedExecutor(compiled.schema)] as const
  for (const name of names) {
    const { query, variables, goals } = workloads[name]
    if (query === undefined || goals.executor === undefined) continue
    const operation = soleOperation(query)
    const request = (): OperationRequest => ({
      operation,
      variables: variables?.(fleet),
      context: contextFor({
        caller: keyHolder(fleet.owner.applicationId, fleet.owner.connectionId),
        credentials: {},
      }),
    })
    const runs = executors.map(
      (executor: Executor): Run =>
        async () =>
          executor.execute(request()),
    ) as [Run, Run]
    await assertEqualResults(name, runs)
    const [ours, baseline] = await inTurn(runs, running, measureRound)
    running.report(compared({ group: 'executor', name, goal: goals.executor, ours, baseline }))
  }
}

async function assertEqualResults(name: string, [ours, baseline]: readonly [Run, Run]): Promise<void> {
  const plain = async (run: Run): Promise<unknown> => JSON.parse(JSON.stringify(await run()))
  // The executor compiles an operation at its second execution.
  for (let time = 0; time < 3; time++)
    if (!isDeepStrictEqual(await plain(ours), await plain(baseline)))
      throw new Error(`${name}: the results of the executors differ`)
}

async function measureRound(run: Run, seconds: number): Promise<Measured> {
  const cpuBefore = process.cpuUsage()
  const start = performance.now()
  let count = 0
  for (; performance.now() - start < seconds * 1000; count++) await run()
  const elapsed = performance.now() - start
  const { user, system } = process.cpuUsage(cpuBefore)
  return { perSecond: (count / elapsed) * 1000, cpuMicroseconds: (user + system) / count }
}
