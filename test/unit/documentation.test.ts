import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildSchema, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { anchorsOf, codeBlocks, linksOf, pages } from '../support/documentation.ts'

/** Returns true if the file or heading of a link is missing. Links to other sites are not requested. */
function isBroken(page: string, link: string): boolean {
  if (/^https?:/.test(link)) return false
  const [file = '', anchor] = link.split('#')
  const target = file === '' ? page : join(dirname(page), file)
  if (!existsSync(target)) return true
  return anchor !== undefined && !anchorsOf(target).includes(anchor)
}

describe('the documentation', () => {
  test.each(pages())('%s has no broken link', (page) => {
    expect(linksOf(page).filter((link) => isBroken(page, link))).toEqual([])
  })

  test('leads to each page from the README and from its index', () => {
    const docs = pages().filter((page) => page.startsWith('docs/') && page !== 'docs/README.md')
    expect(linksOf('README.md')).toEqual(expect.arrayContaining(docs))
    expect(linksOf('docs/README.md')).toEqual(expect.arrayContaining(docs.map((page) => page.slice(5))))
  })

  test.each(pages())('%s has no marks of a merge conflict', (page) => {
    expect(readFileSync(page, 'utf8')).not.toMatch(/^(?:<{7} |={7}$|\|? ?={7} ?\|?$|>(?: ?>){6} )/m)
  })

  // Acme is the fictional provider of a recipe.
  test.each(pages())('%s names files that exist', (page) => {
    const named = [...readFileSync(page, 'utf8').matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.ts)`/g)].map(
      ([, path]) => path ?? '',
    )
    const exists = (path: string) =>
      path.includes('/acme/') || existsSync(path) || existsSync(join('src', path))
    expect(named.filter((path) => !exists(path))).toEqual([])
  })

  test('has a README of at most 200 lines', () => {
    expect(readFileSync('README.md', 'utf8').split('\n').length).toBeLessThanOrEqual(200)
  })

  const schema = buildSchema(readFileSync('schema/api.graphql', 'utf8'))
  // The schema lacks the fields of the example subgraph.
  const operations = codeBlocks('graphql').filter(([, code]) => !/…(?!")|fuelPurchases/.test(code))

  test.each(operations)('%s has a query that is valid against the schema: %s', (_, code) => {
    expect(validate(schema, parse(code))).toEqual([])
  })

  test.each(codeBlocks('json'))('%s has valid JSON: %s', (_, code) => {
    expect(() => JSON.parse(code)).not.toThrow()
  })
})
