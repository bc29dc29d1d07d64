import type { Command } from 'commander'
import type { Config } from '../../config.ts'
import { withoutSecrets } from '../../log.ts'
import { type JobName, jobs as policies } from '../../queue/jobs.ts'
import { type KeptJobs, keptJobs } from '../../queue/kept-jobs.ts'
import { toIso } from '../../time.ts'
import { oneOfWords, wholeNumber } from '../arguments.ts'
import type { Output } from '../output.ts'
import type { Noun } from '../program.ts'
import { Refused } from '../refused.ts'
import { rememberIfThere } from '../remember.ts'
import { withConfig } from '../tools.ts'

const names = Object.keys(policies) as JobName[]

interface Which {
  readonly job?: JobName
  readonly all?: boolean
  readonly limit: number
}

export const jobs: Noun = {
  addTo(noun: Command) {
    noun.command('list').description('how many there are, by job and state').action(withJobs(list))
    const command = (name: string, says: string) =>
      noun.command(name).description(says).option('--job <name>', names.join(', '), oneOfWords(names))
    command('failed', 'those that have finally failed, with their errors')
      .option('--limit <n>', 'so many of each job', wholeNumber(1, 1000), 20)
      .action(withJobs(failed))
    command('retry [id]', 'try a failed one again')
      .option('--all', 'all of them')
      .addHelpText('after', '\nExample:\n  $ odograph jobs retry --all --job sync-connection')
      .action(withJobs(remembered(retry, 'jobs.retried')))
    command('clear [id]', 'forget a failed one')
      .option('--all', 'all of them')
      .action(withJobs(remembered(clear, 'jobs.cleared')))
  },
}

type Work<Result = void> = (
  jobs: KeptJobs,
  output: Output,
  options: Which,
  id: string | undefined,
  config: Config,
) => Promise<Result>

const withJobs = (work: Work) =>
  withConfig<Which>(async (config: Config, output, options, id) => {
    const { redisUrl, queuePrefix } = config
    if (!redisUrl)
      throw new Refused(
        'without REDIS_URL jobs run in the process of the service and are not seen from outside: ' +
          'set REDIS_URL if the service uses Redis, else look at `odograph syncs list`',
      )
    const kept = keptJobs({ redisUrl, prefix: queuePrefix })
    try {
      await work(kept, output, options, id, config)
    } finally {
      await kept.close()
    }
  })

async function list(kept: KeptJobs, output: Output): Promise<void> {
  output.list((await kept.counts()).map((counts) => ({ ...counts })))
}

async function failed(kept: KeptJobs, output: Output, { job, limit }: Which): Promise<void> {
  const found = await kept.failed(job ? [job] : names, limit)
  output.list(
    found.map(({ failedAt, error, ...rest }) => ({
      ...rest,
      failedAt: failedAt === null ? null : toIso(failedAt),
      error: withoutSecrets(error),
    })),
  )
}

async function retry(kept: KeptJobs, output: Output, which: Which, id?: string): Promise<number> {
  const retried = await some(which, id, (jobNames) => kept.retry(jobNames, id))
  output.one({ retried })
  return retried
}

async function clear(kept: KeptJobs, output: Output, which: Which, id?: string): Promise<number> {
  const cleared = await some(which, id, (jobNames) => kept.clear(jobNames, id))
  output.one({ cleared })
  return cleared
}

/** Does it and remembers it. What waits in Redis is in no transaction: an act that failed leaves no entry. */
const remembered =
  (work: Work<number>, action: string): Work =>
  async (kept, output, which, id, config) => {
    const count = await work(kept, output, which, id, config)
    const detail = { job: which.job ?? 'any', jobId: id ?? 'all', count }
    if (count > 0) await rememberIfThere(config, output, action, detail)
  }

/** Does something to the job of an id, or to all; a command without either would be too much by mistake. */
async function some(
  { job, all }: Which,
  id: string | undefined,
  act: (jobNames: readonly JobName[]) => Promise<number>,
): Promise<number> {
  if ((id === undefined) === (all !== true)) throw new Refused('give the id of a failed job, or --all', 2)
  const count = await act(job ? [job] : names)
  if (id !== undefined && count === 0)
    throw new Refused(`there is no failed job ${id}: \`odograph jobs failed\` names them`)
  return count
}
