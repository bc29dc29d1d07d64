import { describe, expect, test } from 'vitest'
import { assets } from '../../../../src/link/pages/assets.ts'
import { renderAgreement } from '../../../../src/link/pages/agreement.ts'
import { render } from '../../../../src/link/pages/render.ts'
import { agreements } from '../../../../src/link/pages/i18n/agreements.ts'
import { languages, textsIn } from '../../../../src/link/pages/i18n/language.ts'
import type { PageOptions, View } from '../../../../src/link/view.ts'
import {
  pageOptions,
  provider,
  request,
  signIn,
  views,
  withPassword,
} from '../../../support/link/page-views.ts'

const pages = languages.flatMap((language) =>
  Object.entries(views).map(([name, view]) => ({ language, name, view })),
)

describe.each(pages)('the page $name in $language', ({ language, view }) => {
  const page = render(view, { ...pageOptions, language })

  test('is complete, and has a language and a title', () => {
    expect(page).toMatch(new RegExp(`^<!doctype html>\\s*<html lang="${language}">`))
    expect(page).toMatch(/<title>[^<]{3,} · Ridgeline Dispatch<\/title>/)
    expect(page.match(/<h1[ >]/g)).toHaveLength(1)
    expect(page).not.toMatch(/undefined|\[object|NaN|\bnull\b|\$\{/)
  })

  test('loads only our own assets', () => {
    const loaded = [...page.matchAll(/<(?:link|script|img|iframe|source)\b[^>]*?(?:src|href)="([^"]*)"/g)]
    const own = assets.map(({ path }) => `/link${path}`)
    const foreign = loaded.filter(
      ([, address = '']) => !own.includes(address) && !address.startsWith('data:'),
    )
    expect(foreign).toEqual([])
    expect(page).not.toMatch(/ style="|<style|<script(?![^>]* src=)| on[a-z]+="/)
  })
})

describe('the texts', () => {
  test.each(languages)('are complete in %s', (language) => {
    expect(textsByPath(language).filter(([, text]) => text.trim().length < 2)).toEqual([])
  })

  /** Texts that are the same in two languages. */
  const sharedTexts = /^(language|signIn\.fields\.host|errorInTitle|signIn\.(optional|ways))/

  test.each(['fr', 'es'] as const)('are in %s, not in English', (language) => {
    const english = new Map(textsByPath('en'))
    const same = textsByPath(language).filter(
      ([path, text]) => english.get(path) === text && !sharedTexts.test(path),
    )
    expect(same).toEqual([])
  })

  test.each(languages)('contain the names of the application and the provider in %s', (language) => {
    const names = textsIn(language)
    expect(names.signIn.title({ app: 'APP', provider: 'PROVIDER' })).toContain('PROVIDER')
    expect(names.consent.agreed({ app: 'APP', provider: 'PROVIDER' })).toContain('APP')
  })

  test('describe an application without a name as the sender of the user', () => {
    const page = render(views['consent'] as View, { ...pageOptions, applicationName: null })
    expect(page).toContain('Share this data with the company that sent you here?')
  })
})

describe('a hostile value', () => {
  const hostile = `"><img src=x onerror=alert(1)>'`
  const view = signIn({
    provider: { code: hostile, name: hostile, icon: hostile, isLinkable: true },
    chosen: withPassword,
    typed: { user: hostile, database: hostile },
    problem: 'wrong_credentials',
  })
  const hostileViews: readonly View[] = [
    view,
    { step: 'choose', providers: [{ ...provider, code: hostile, name: hostile }], search: hostile },
    { step: 'choose', providers: [], search: hostile },
    request({
      provider: null,
      typed: { provider: hostile, contactEmail: hostile, dotNumber: hostile },
      wrong: ['contactEmail'],
    }),
    request({ provider: { ...provider, code: hostile, name: hostile, icon: hostile } }),
    { step: 'requested', backTo: 'javascript:alert(1)' },
    {
      step: 'consent',
      provider: { ...provider, name: hostile },
      categories: ['trips'],
      agreementUrl: hostile,
    },
    { step: 'done', provider, isAgain: true, publicToken: hostile, backTo: 'javascript:alert(1)' },
    { step: 'cancelled', backTo: 'data:text/html,<script>alert(1)</script>' },
    { step: 'refused', why: 'bad_parameter', parameter: hostile },
  ]
  const hostileOptions: PageOptions = {
    ...pageOptions,
    applicationName: hostile,
    run: `/link/${hostile}`,
    origins: [hostile],
  }

  test.each(hostileViews)('is text on the page of $step', (view) => {
    const page = render(view, hostileOptions)
    expect(page).toContain('&quot;&gt;&lt;img src=x')
    expect(page).not.toContain('<img src=x')
    expect(page).not.toMatch(/(?:href|action)="(?:javascript|data:text)/)
  })
})

test('a page never contains the submitted password', () => {
  const typed = { user: 'dispatch', database: 'ridge', password: 'planted-in-the-test' }
  const page = render(signIn({ chosen: withPassword, typed, problem: 'wrong_credentials' }), pageOptions)
  expect(page).toContain('value="dispatch"')
  expect(page).not.toContain('planted-in-the-test')
})

test('invalid fields are marked and refer to their problem', () => {
  const page = render(
    signIn({ chosen: withPassword, typed: { user: 'dispatch' }, problem: 'incomplete' }),
    pageOptions,
  )
  const invalid = [...page.matchAll(/<input[^>]*?name="(\w+)"[^>]*?aria-invalid="true"[^>]*>/g)]
  expect(invalid.map(([, name]) => name)).toEqual(['database', 'password'])
  for (const [field] of invalid) expect(field).toMatch(/aria-describedby="problem/)
})

test.each(languages)(
  'fuel tax data is distance only, and the consent promises nothing else in %s',
  (language) => {
    const { text } = textsIn(language).consent.shares.fuel_tax
    expect(text).toMatch(/dist/i)
    expect(text).not.toMatch(/fuel|carburant|combustible/i)
  },
)

test('the agreement is a separate page in every language', () => {
  for (const language of languages) {
    const page = renderAgreement({ ...pageOptions, language, run: null, applicationName: null })
    for (const { name } of agreements[language].sections) expect(page).toContain(name)
    expect(page).toContain('href="?lang=')
  }
})

test('an asset has a name with the hash of its content', () => {
  expect(assets.map(({ path }) => path.replace(/[0-9a-f]{12}/, 'HASH'))).toEqual([
    '/assets/link.HASH.css',
    '/assets/link.HASH.js',
  ])
  expect(assets.every(({ body }) => body.length > 1000)).toBe(true)
  expect(assets.map(({ body }) => body).join('')).not.toMatch(/https?:\/\/|@import|url\(/)
})

/** Returns all texts of a language with their paths. Texts with parameters get sample names. */
function textsByPath(language: (typeof languages)[number]): [string, string][] {
  const names = { app: 'APP', provider: 'PROVIDER' }
  const walk = (value: unknown, path: string): [string, string][] => {
    if (typeof value === 'string') return [[path, value]]
    if (typeof value === 'function') return [[path, String(value(path.endsWith('found') ? 3 : names, 4))]]
    return Object.entries(value as object).flatMap(([name, inner]) => walk(inner, `${path}.${name}`))
  }
  return [...walk(textsIn(language), ''), ...walk(agreements[language], 'agreement')].map(([path, text]) => [
    path.replace(/^\./, ''),
    text,
  ])
}
