import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { buildSchema, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { codeBlocks, pages, proseOf } from '../support/documentation.ts'

/** The anchor that a heading has on GitHub. */
const anchorOf = (heading: string) =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const anchorsIn = (path: string): readonly string[] => {
  const page = { path, text: readFileSync(path, 'utf8') }
  return [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
}

/** The links of a page that lead nowhere; addresses elsewhere are not asked. */
function brokenLinks(path: string, prose: string): string[] {
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  return targets.filter((target) => {
    if (/^https?:/.test(target)) return false
    const [file = '', anchor] = target.split('#')
    const meant = file === '' ? path : normalize(join(dirname(path), file))
    if (!existsSync(meant)) return true
    return anchor !== undefined && !anchorsIn(meant).includes(anchor)
  })
}

describe('the documentation', () => {
  test.each(pages().map((page) => [page.path, page] as const))('%s has no broken link', (path, page) => {
    expect(brokenLinks(path, proseOf(page))).toEqual([])
  })

  test('leads to each page from the README and from its index', () => {
    const docs = pages().filter(({ path }) => path.startsWith('docs/') && path !== 'docs/README.md')
    const textOf = (path: string) => readFileSync(path, 'utf8')
    expect(docs.filter(({ path }) => !textOf('README.md').includes(`(${path})`))).toEqual([])
    expect(docs.filter(({ path }) => !textOf('docs/README.md').includes(`(${path.slice(5)})`))).toEqual([])
  })

  test('has a README of at most 200 lines', () => {
    expect(readFileSync('README.md', 'utf8').split('\n').length).toBeLessThanOrEqual(200)
  })

  const schema = buildSchema(readFileSync('schema/api.graphql', 'utf8'))
  const operations = codeBlocks('graphql')
    // A field of the example's own subgraph is not in this schema.
    .filter(({ code }) => !code.includes('…') && !code.includes('fuelPurchases'))
    .map(({ page, code }) => [page, code] as const)

  test.each(operations)('%s asks for what the graph has: %s', (_, code) => {
    expect(validate(schema, parse(code))).toEqual([])
  })

  test.each(codeBlocks('json').map(({ page, code }) => [page, code] as const))(
    '%s shows JSON: %s',
    (_, code) => {
      expect(() => JSON.parse(code)).not.toThrow()
    },
  )
})
