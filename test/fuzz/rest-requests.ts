import type { Pool } from './pool.ts'
import type { Random } from './random.ts'
import type { Target } from './rest-operations.ts'
import { altered, brokenBodies, strangeJson, strangeText } from './strange.ts'
import { type MutableRequest, type Keys, validRequest, validValue } from './valid-requests.ts'
import { escaped, type Wire } from './wire.ts'

/** A nearly valid request, and its mutations. */
export interface Mutant extends Wire {
  readonly target: Target
  /** Names of the mutated parts, such as `query limit`. */
  readonly changed: readonly string[]
}

export function mutantOf(random: Random, target: Target, pool: Pool, keys: Keys): Mutant {
  const request = validRequest(random, target, pool, keys)
  const count = random.pick([1, 1, 1, 2, 3])
  for (let at = 0; at < count; at++) random.pick(mutations)(random, request, target, pool)
  const query = request.query.map(([name, value]) => `${name}=${value}`).join('&')
  return {
    target,
    method: request.method,
    path: `${request.path}${query === '' ? '' : `?${query}`}`.slice(0, 12_000),
    headers: request.headers,
    ...(request.body === undefined ? {} : { body: request.body }),
    changed: request.changed,
  }
}

type Mutation = (random: Random, request: MutableRequest, target: Target, pool: Pool) => void

const parameterValue: Mutation = (random, request, target, pool) => {
  if (target.query.length === 0) return unknownParameter(random, request, target, pool)
  const name = random.pick(target.query)
  const value = random.chance(0.4)
    ? altered(random, validValue(random, target, name, pool))
    : strangeText(random)
  request.query = [...request.query.filter(([other]) => other !== name), [name, escaped(value)]]
  request.changed.push(`query ${name}`)
}

const unknownParameter: Mutation = (random, request, target) => {
  const name = random.pick([altered(random, random.pick([...target.query, 'limit'])), strangeText(random)])
  request.query.push([escaped(name), escaped(strangeText(random))])
  request.changed.push('an unknown parameter')
}

const repeatedParameter: Mutation = (random, request, target, pool) => {
  const name = random.pick([...target.query, 'limit'])
  const value = escaped(validValue(random, target, name, pool))
  request.query.push([`${name}${random.pick(['', '', '[]', '[a]', '[0]', '%5B%5D'])}`, value], [name, value])
  request.changed.push(`${name} more than once`)
}

/** Percent signs without a valid encoding. */
const brokenQuery: Mutation = (random, request) => {
  request.query.push([
    random.pick(['limit', 'a', '%', '%zz', '%ff', '']),
    random.pick(['%', '%zz', '%c3%28', '%ff', '%00', '=']),
  ])
  request.changed.push('the form of the query')
}

const pathId: Mutation = (random, request, target, pool) => {
  if (!target.path.includes('{')) return pathForm(random, request, target, pool)
  const text = () => random.pick([strangeText(random), altered(random, random.pick(pool.ids))])
  request.path = `/tsp/v1${target.path.replaceAll(/\{(\w+)\}/g, () => escaped(text()) || '%20')}`
  request.changed.push('the id in the path')
}

const pathForm: Mutation = (random, request) => {
  const { path } = request
  request.path = random.pick([
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
  request.changed.push('the path')
}

const authorization: Mutation = (random, request, _target, pool) => {
  const name = random.pick(['authorization', 'connection-token'])
  const original = request.headers.find(([other]) => other === name)?.[1] ?? ''
  const value = random.pick([
    altered(random, original),
    strangeText(random),
    random.pick(pool.ids),
    `Bearer ${strangeText(random)}`,
  ])
  const rest = request.headers.filter(([other]) => other !== name)
  request.headers = random.chance(0.3) ? rest : [...rest, [name, headerText(value)]]
  request.changed.push(name)
}

const otherHeader: Mutation = (random, request) => {
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
  request.headers.push([name, headerText(strangeText(random)).slice(0, 2000)])
  request.changed.push(`header ${name}`)
}

const contentType: Mutation = (random, request) => {
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
  request.headers = [...request.headers.filter(([name]) => name !== 'content-type'), ['content-type', value]]
  request.changed.push('content-type')
}

/** Header values are Latin-1 without line breaks; node sends no others. */
const headerText = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- these are what no header holds
  text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?')

const method: Mutation = (random, request) => {
  request.method = random.pick([
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
  request.changed.push('the method')
}

const wholeBody: Mutation = (random, request) => {
  request.body = random.pick([random.pick(brokenBodies), strangeJson(random)])
  if (!request.headers.some(([name]) => name === 'content-type'))
    request.headers.push(['content-type', 'application/json'])
  request.changed.push('the body')
}

const bodyMember: Mutation = (random, request, target, pool) => {
  if (target.members === null || request.body === undefined)
    return parameterValue(random, request, target, pool)
  const name = random.pick([
    ...target.members,
    '__proto__',
    altered(random, random.pick([...target.members, 'x'])),
  ])
  const rest = request.body.startsWith('{"') ? `,${request.body.slice(1)}` : '}'
  request.body = `{${JSON.stringify(name)}:${strangeJson(random)}${rest}`
  request.changed.push(`body ${name}`)
}

const mutations: readonly Mutation[] = [
  [parameterValue, parameterValue, parameterValue, parameterValue, bodyMember, bodyMember, bodyMember],
  [unknownParameter, repeatedParameter, brokenQuery, pathId, pathId, pathForm, authorization, authorization],
  [otherHeader, contentType, method, wholeBody],
].flat()
