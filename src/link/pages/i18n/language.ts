import type { Language } from '../../view.ts'

const languages: readonly Language[] = ['en', 'fr', 'es']

const isLanguage = (text: string | null): text is Language => languages.some((language) => language === text)

/** The language that an address or a form asks for. */
export function languageIn(given: URLSearchParams): Language | null {
  const lang = given.get('lang')
  return isLanguage(lang) ? lang : null
}

/** The language of ours that a browser likes best; English where it likes none. */
export function likedLanguage(acceptLanguage: string | undefined): Language {
  const liked = (acceptLanguage ?? '')
    .split(',')
    .map((part) => /^\s*([a-z]{2,3})(?:-[\w-]+)?\s*(?:;\s*q=([\d.]+))?\s*$/i.exec(part))
    .flatMap((match) => (match ? [{ code: match[1]!.toLowerCase(), weight: Number(match[2] ?? 1) }] : []))
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
  return liked.map(({ code }) => code).find(isLanguage) ?? 'en'
}
