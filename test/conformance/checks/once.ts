import { check, type Check, equals, holds, NotApplicable } from '../check.ts'
import {
  type Answer,
  type JsonObject,
  rowOf,
  some,
  type Subject,
  succeeded,
  textAt,
  responseText,
} from '../subject.ts'
import { refused } from './errors.ts'

/** Checks that use up an input: they exchange a public token and resolve an issue. */

const exchanged = new WeakMap<object, Promise<Answer>>()

/** Sends ten exchanges at once; one may succeed. */
function exchange(subject: Subject): Promise<Answer> {
  const { publicToken } = subject.access
  if (publicToken === undefined) throw new NotApplicable('no public token')
  const known = exchanged.get(subject.access) ?? race(subject, publicToken)
  exchanged.set(subject.access, known)
  return known
}

const AT_ONCE = 10

async function race(subject: Subject, publicToken: string): Promise<Answer> {
  const send = () => subject.send('POST', '/public-token/exchange', { body: { publicToken }, token: null })
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, send))
  const won = answers.filter(({ status }) => status === 200)
  for (const answer of answers) if (answer.status !== 200) refused(answer, 404)
  equals(won.length, 1, 'number of successful exchanges out of ten')
  return won[0] as Answer
}

const connectionOf = async (subject: Subject): Promise<JsonObject> =>
  rowOf(succeeded(await exchange(subject)))

async function spent(subject: Subject): Promise<void> {
  await exchange(subject)
  const body = { publicToken: subject.access.publicToken }
  refused(await subject.send('POST', '/public-token/exchange', { body, token: null }), 404)
}

export const onceChecks: readonly Check[] = [
  check('4.2-answers-connection', async (subject) => {
    const connection = await connectionOf(subject)
    for (const name of ['id', 'company', 'account', 'status', 'provider', 'syncMode', 'options', 'createdAt'])
      holds(name in connection, `${name} is missing`)
    holds(/^con_tkn_\S+$/.test(textAt(connection, 'token')), 'the token does not fit its pattern')
  }),
  check('4.2-single-use', spent),
  check('8-public-token-once', spent),
  check('3.1-exchange-connects', async (subject) => {
    equals((await connectionOf(subject))['status'], 'connected', 'the status')
  }),
  check('5-public-token-becomes-connection', async (subject) => {
    const connection = await connectionOf(subject)
    const own = subject.withToken(textAt(connection, 'token'))
    equals((await own.ok('/connections/current'))['id'], connection['id'], 'the connection of the token')
  }),
  check('g3.4-resolve-issue', async (subject) => {
    const [issue] = some(await subject.allNow('/issues?status=ongoing'), 'ongoing issue')
    const answer = await subject.send('POST', `/issues/${textAt(issue, 'id')}/resolve`, { token: null })
    holds(answer.status === 200, responseText(answer))
    equals([rowOf(answer)['id'], rowOf(answer)['status']], [issue['id'], 'resolved'], 'the answer')
    const again = await subject.allNow('/issues?status=resolved')
    holds(
      again.some((row) => row['id'] === issue['id']),
      'it is not listed as resolved',
    )
  }),
]
