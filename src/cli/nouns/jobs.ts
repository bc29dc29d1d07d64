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
import { rememberedIfThere } from '../remember.ts'
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
      .action(withJobs(acting(retry, 'jobs.retried', 'retried')))
    command('clear [id]', 'forget a failed one')
      .option('--all', 'all of them')
      .action(withJobs(acting(clear, 'jobs.cleared', 'cleared')))
  },
}

type Work = (
  jobs: KeptJobs,
  output: Output,
  options: Which,
  id: string | undefined,
  config: Config,
) => Promise<void>

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

const retry: Attempt = (kept, jobNames, id) => kept.retry(jobNames, id)
const clear: Attempt = (kept, jobNames, id) => kept.clear(jobNames, id)

type Attempt = (kept: KeptJobs, jobNames: readonly JobName[], id: string | undefined) => Promise<number>

/** Does something to the failed job of an id, or to all; a command without either would be too much by mistake. */
const acting =
  (attempt: Attempt, action: string, cell: string): Work =>
  async (kept, output, { job, all }, id, config) => {
    if ((id === undefined) === (all !== true)) throw new Refused('give the id of a failed job, or --all', 2)
    // A Redis that is not there is noticed before anything is remembered.
    await kept.counts()
    let count = 0
    await rememberedIfThere(config, output, {
      action,
      detail: { job: job ?? 'any', jobId: id ?? 'all' },
      async act() {
        count = await attempt(kept, job ? [job] : names, id)
        return count > 0 ? { count } : null
      },
    })
    if (id !== undefined && count === 0)
      throw new Refused(`there is no failed job ${id}: \`odograph jobs failed\` names them`)
    output.one({ [cell]: count })
  }
