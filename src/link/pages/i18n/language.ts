import type { Language } from '../../view.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import type { Texts } from './texts.ts'

export const languages: readonly Language[] = ['en', 'fr', 'es']

const tables: Readonly<Record<Language, Texts>> = { en, fr, es }

export const textsIn = (language: Language): Texts => tables[language]

const isLanguage = (text: string | null): text is Language => languages.some((language) => language === text)

/** Returns the language that the parameters of a URL or a form request; null if they request none. */
export function languageIn(parameters: URLSearchParams): Language | null {
  const lang = parameters.get('lang')
  return isLanguage(lang) ? lang : null
}

/** Returns the supported language that a browser prefers most. English if it prefers none of them. */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  const preferences = (acceptLanguage ?? '')
    .split(',')
    .map((part) => /^\s*([a-z]{2,3})(?:-[\w-]+)?\s*(?:;\s*q=([\d.]+))?\s*$/i.exec(part))
    .flatMap((match) => (match ? [{ code: match[1]!.toLowerCase(), weight: Number(match[2] ?? 1) }] : []))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
  return preferences.map(({ code }) => code).find(isLanguage) ?? 'en'
}
