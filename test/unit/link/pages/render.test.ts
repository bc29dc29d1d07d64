import { describe, expect, test } from 'vitest'
import { assets } from '../../../../src/link/pages/assets.ts'
import { renderAgreement } from '../../../../src/link/pages/agreement.ts'
import { render } from '../../../../src/link/pages/render.ts'
import { agreements } from '../../../../src/link/pages/i18n/agreements.ts'
import { languages, textsIn } from '../../../../src/link/pages/i18n/language.ts'
import type { Frame, View } from '../../../../src/link/view.ts'
import { frame, provider, request, signIn, views, withPassword } from '../../../support/link/page-views.ts'

const pages = languages.flatMap((language) =>
  Object.entries(views).map(([name, view]) => ({ language, name, view })),
)

describe.each(pages)('the page $name in $language', ({ language, view }) => {
  const page = render(view, { ...frame, language })

  test('is whole, and says its language and its title', () => {
    expect(page).toMatch(new RegExp(`^<!doctype html>\\s*<html lang="${language}">`))
    expect(page).toMatch(/<title>[^<]{3,} · Ridgeline Dispatch<\/title>/)
    expect(page.match(/<h1[ >]/g)).toHaveLength(1)
    expect(page).not.toMatch(/undefined|\[object|NaN|\bnull\b|\$\{/)
  })

  test('loads nothing but what is served with it', () => {
    const loaded = [...page.matchAll(/<(?:link|script|img|iframe|source)\b[^>]*?(?:src|href)="([^"]*)"/g)]
    const own = assets.map(({ path }) => `/link${path}`)
    const strange = loaded.filter(
      ([, address = '']) => !own.includes(address) && !address.startsWith('data:'),
    )
    expect(strange).toEqual([])
    expect(page).not.toMatch(/ style="|<style|<script(?![^>]* src=)| on[a-z]+="/)
  })
})

describe('the texts', () => {
  test.each(languages)('are all there in %s', (language) => {
    expect(written(language).filter(([, text]) => text.trim().length < 2)).toEqual([])
  })

  /** Words that two languages have in common. */
  const alike = /^(language|signIn\.fields\.host|errorInTitle|signIn\.(optional|ways))/

  test.each(['fr', 'es'] as const)('are in %s, not in English', (language) => {
    const english = new Map(written('en'))
    const same = written(language).filter(([path, text]) => english.get(path) === text && !alike.test(path))
    expect(same).toEqual([])
  })

  test.each(languages)('name who they speak of in %s', (language) => {
    const names = textsIn(language)
    expect(names.signIn.title({ app: 'APP', provider: 'PROVIDER' })).toContain('PROVIDER')
    expect(names.consent.agreed({ app: 'APP', provider: 'PROVIDER' })).toContain('APP')
  })

  test('call an application without a name what the reader knows it by', () => {
    const page = render(views['consent'] as View, { ...frame, applicationName: null })
    expect(page).toContain('Share this data with the company that sent you here?')
  })
})

describe('what others have written', () => {
  const hostile = `"><img src=x onerror=alert(1)>'`
  const view = signIn({
    provider: { code: hostile, name: hostile, icon: hostile, isLinkable: true },
    chosen: withPassword,
    typed: { user: hostile, database: hostile },
    problem: 'wrong_credentials',
  })
  const strange: readonly View[] = [
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
    { step: 'consent', provider: { ...provider, name: hostile }, shares: ['trips'], agreementUrl: hostile },
    { step: 'done', provider, isAgain: true, publicToken: hostile, backTo: 'javascript:alert(1)' },
    { step: 'cancelled', backTo: 'data:text/html,<script>alert(1)</script>' },
    { step: 'refused', why: 'bad_parameter', parameter: hostile },
  ]
  const around: Frame = { ...frame, applicationName: hostile, run: `/link/${hostile}`, origins: [hostile] }

  test.each(strange)('is text on the page of $step', (view) => {
    const page = render(view, around)
    expect(page).toContain('&quot;&gt;&lt;img src=x')
    expect(page).not.toContain('<img src=x')
    expect(page).not.toMatch(/(?:href|action)="(?:javascript|data:text)/)
  })
})

test('a password is never sent back, whatever was typed in', () => {
  const typed = { user: 'dispatch', database: 'ridge', password: 'planted-in-the-test' }
  const page = render(signIn({ chosen: withPassword, typed, problem: 'wrong_credentials' }), frame)
  expect(page).toContain('value="dispatch"')
  expect(page).not.toContain('planted-in-the-test')
})

test('fields to blame say so, and name what happened', () => {
  const page = render(
    signIn({ chosen: withPassword, typed: { user: 'dispatch' }, problem: 'incomplete' }),
    frame,
  )
  const invalid = [...page.matchAll(/<input[^>]*?name="(\w+)"[^>]*?aria-invalid="true"[^>]*>/g)]
  expect(invalid.map(([, name]) => name)).toEqual(['database', 'password'])
  for (const [field] of invalid) expect(field).toMatch(/aria-describedby="problem/)
})

test('our agreement is a page of its own in every language', () => {
  for (const language of languages) {
    const page = renderAgreement({ ...frame, language, run: null, applicationName: null })
    for (const { name } of agreements[language].sections) expect(page).toContain(name)
    expect(page).toContain('href="?lang=')
  }
})

test('what the pages load has a name that changes with it', () => {
  expect(assets.map(({ path }) => path.replace(/[0-9a-f]{12}/, 'HASH'))).toEqual([
    '/assets/link.HASH.css',
    '/assets/link.HASH.js',
  ])
  expect(assets.every(({ body }) => body.length > 1000)).toBe(true)
  expect(assets.map(({ body }) => body).join('')).not.toMatch(/https?:\/\/|@import|url\(/)
})

/** Every text of a language by its path; those that name somebody, with names. */
function written(language: (typeof languages)[number]): [string, string][] {
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
