import type { Pool } from './pool.ts'
import type { Random } from './random.ts'
import type { Target } from './rest-operations.ts'
import { altered, brokenBodies, strangeJson, strangeText } from './strange.ts'
import { type Draft, type Keys, soundDraft, soundValue } from './sound-requests.ts'
import { escaped, type Wire } from './wire.ts'

/** A nearly valid request, and its mutations. */
export interface Mutant extends Wire {
  readonly target: Target
  /** Names of the mutated parts, such as `query limit`. */
  readonly changed: readonly string[]
}

export function mutantOf(random: Random, target: Target, pool: Pool, keys: Keys): Mutant {
  const draft = soundDraft(random, target, pool, keys)
  const count = random.pick([1, 1, 1, 2, 3])
  for (let at = 0; at < count; at++) random.pick(mutations)(random, draft, target, pool)
  const query = draft.query.map(([name, value]) => `${name}=${value}`).join('&')
  return {
    target,
    method: draft.method,
    path: `${draft.path}${query === '' ? '' : `?${query}`}`.slice(0, 12_000),
    headers: draft.headers,
    ...(draft.body === undefined ? {} : { body: draft.body }),
    changed: draft.changed,
  }
}

type Mutation = (random: Random, draft: Draft, target: Target, pool: Pool) => void

const parameterValue: Mutation = (random, draft, target, pool) => {
  if (target.query.length === 0) return unknownParameter(random, draft, target, pool)
  const name = random.pick(target.query)
  const value = random.chance(0.4)
    ? altered(random, soundValue(random, target, name, pool))
    : strangeText(random)
  draft.query = [...draft.query.filter(([other]) => other !== name), [name, escaped(value)]]
  draft.changed.push(`query ${name}`)
}

const unknownParameter: Mutation = (random, draft, target) => {
  const name = random.pick([altered(random, random.pick([...target.query, 'limit'])), strangeText(random)])
  draft.query.push([escaped(name), escaped(strangeText(random))])
  draft.changed.push('an unknown parameter')
}

const repeatedParameter: Mutation = (random, draft, target, pool) => {
  const name = random.pick([...target.query, 'limit'])
  const value = escaped(soundValue(random, target, name, pool))
  draft.query.push([`${name}${random.pick(['', '', '[]', '[a]', '[0]', '%5B%5D'])}`, value], [name, value])
  draft.changed.push(`${name} more than once`)
}

/** Percent signs without a valid encoding. */
const brokenQuery: Mutation = (random, draft) => {
  draft.query.push([
    random.pick(['limit', 'a', '%', '%zz', '%ff', '']),
    random.pick(['%', '%zz', '%c3%28', '%ff', '%00', '=']),
  ])
  draft.changed.push('the form of the query')
}

const pathId: Mutation = (random, draft, target, pool) => {
  if (!target.path.includes('{')) return pathForm(random, draft, target, pool)
  const text = () => random.pick([strangeText(random), altered(random, random.pick(pool.ids))])
  draft.path = `/tsp/v1${target.path.replaceAll(/\{(\w+)\}/g, () => escaped(text()) || '%20')}`
  draft.changed.push('the id in the path')
}

const pathForm: Mutation = (random, draft) => {
  const { path } = draft
  draft.path = random.pick([
    `${path}/`,
    path.replaceAll('/', '//'),
    `${path}/..`,
    `${path}/%2e%2e/x`,
    `${path}%2f`,
    `${path}%00`,
    `${path}/${escaped(strangeText(random))}`,
    path.toUpperCase(),
    `${path};a=b`,
    `${path}%zz`,
    path.replace('/v1', '/v2'),
  ])
  draft.changed.push('the path')
}

const authorization: Mutation = (random, draft, _target, pool) => {
  const name = random.pick(['authorization', 'connection-token'])
  const sound = draft.headers.find(([other]) => other === name)?.[1] ?? ''
  const value = random.pick([
    altered(random, sound),
    strangeText(random),
    random.pick(pool.ids),
    `Bearer ${strangeText(random)}`,
  ])
  const rest = draft.headers.filter(([other]) => other !== name)
  draft.headers = random.chance(0.3) ? rest : [...rest, [name, headerText(value)]]
  draft.changed.push(name)
}

const otherHeader: Mutation = (random, draft) => {
  const name = random.pick([
    'accept',
    'accept-encoding',
    'x-application-id',
    'range',
    'if-none-match',
    'expect-ct',
    'origin',
    'cookie',
    'x-forwarded-for',
    'x-http-method-override',
    'user-agent',
    'accept-language',
    'traceparent',
    'connection-token',
  ])
  draft.headers.push([name, headerText(strangeText(random)).slice(0, 2000)])
  draft.changed.push(`header ${name}`)
}

const contentType: Mutation = (random, draft) => {
  const value = random.pick([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json;charset=latin1',
    'application/xml',
    'nonsense',
    'application/json; charset="',
    'application/vnd.api+json',
    '',
  ])
  draft.headers = [...draft.headers.filter(([name]) => name !== 'content-type'), ['content-type', value]]
  draft.changed.push('content-type')
}

/** Header values are Latin-1 without line breaks; node sends no others. */
const headerText = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- these are what no header holds
  text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?')

const method: Mutation = (random, draft) => {
  draft.method = random.pick([
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'LOCK',
    'SEARCH',
  ])
  draft.changed.push('the method')
}

const wholeBody: Mutation = (random, draft) => {
  draft.body = random.pick([random.pick(brokenBodies), strangeJson(random)])
  if (!draft.headers.some(([name]) => name === 'content-type'))
    draft.headers.push(['content-type', 'application/json'])
  draft.changed.push('the body')
}

const bodyMember: Mutation = (random, draft, target, pool) => {
  if (target.members === null || draft.body === undefined) return parameterValue(random, draft, target, pool)
  const name = random.pick([
    ...target.members,
    '__proto__',
    altered(random, random.pick([...target.members, 'x'])),
  ])
  const rest = draft.body.startsWith('{"') ? `,${draft.body.slice(1)}` : '}'
  draft.body = `{${JSON.stringify(name)}:${strangeJson(random)}${rest}`
  draft.changed.push(`body ${name}`)
}

const mutations: readonly Mutation[] = [
  [parameterValue, parameterValue, parameterValue, parameterValue, bodyMember, bodyMember, bodyMember],
  [unknownParameter, repeatedParameter, brokenQuery, pathId, pathId, pathForm, authorization, authorization],
  [otherHeader, contentType, method, wholeBody],
].flat()
