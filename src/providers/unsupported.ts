import { pictureOf } from './manifests.ts'
import type { Registry } from './registry.ts'

/**
 * A provider that fleets use and that no adapter reads yet. `GET /providers` does not report it: every status of the
 * specification says that it can be connected (`@gap 2.9`). The link pages show it, and let a fleet ask for it.
 */
export interface UnsupportedProvider {
  readonly code: string
  /** Empty where the fleet says it. */
  readonly name: string
  readonly icon: string
}

/** Drawn by us: letters of the name on a field of a colour. */
const lettered = (letters: string, colour: string): string =>
  pictureOf(
    colour,
    `<text x="24" y="31" font-family="sans-serif" font-size="20" fill="#fff" text-anchor="middle">${letters}</text>`,
  )

const entries: readonly UnsupportedProvider[] = [
  { code: 'azuga', name: 'Azuga', icon: lettered('Az', '#345a7c') },
  { code: 'calamp', name: 'CalAmp', icon: lettered('Ca', '#5c4a72') },
  { code: 'linxup', name: 'Linxup', icon: lettered('Li', '#2f6b57') },
  { code: 'omnitracs', name: 'Omnitracs', icon: lettered('Om', '#7a4b2c') },
  { code: 'onestepgps', name: 'One Step GPS', icon: lettered('OS', '#3f5f3a') },
  { code: 'platformscience', name: 'Platform Science', icon: lettered('PS', '#2c6272') },
  { code: 'powerfleet', name: 'Powerfleet', icon: lettered('Po', '#6b3f52') },
  { code: 'teletrac', name: 'Teletrac Navman', icon: lettered('TN', '#44526b') },
  { code: 'tesla', name: 'Tesla', icon: lettered('Te', '#6a4a4a') },
  { code: 'verizon', name: 'Verizon Connect', icon: lettered('VC', '#4d4d63') },
  { code: 'webfleet', name: 'Webfleet', icon: lettered('We', '#4a5d2f') },
  { code: 'zonar', name: 'Zonar', icon: lettered('Zo', '#35516a') },
]

/** What a fleet takes whose provider is not among all of these. */
export const unlisted: UnsupportedProvider = { code: 'unlisted', name: '', icon: '' }

/** Those that have no adapter: one that gets an adapter stands among the others from then on. */
export const unsupportedProviders = ({ find }: Pick<Registry, 'find'>): readonly UnsupportedProvider[] =>
  entries.filter(({ code }) => find(code) === null)

export const findUnsupported = (registry: Pick<Registry, 'find'>, code: string): UnsupportedProvider | null =>
  unsupportedProviders(registry).find((provider) => provider.code === code) ?? null
