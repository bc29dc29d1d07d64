import { pictureOf, supportedModels } from './manifests.ts'
import type { Manifest } from './provider.ts'
import type { Registry } from './registry.ts'

/** A provider that no adapter reads yet, as the link pages show it: a fleet can ask for it. */
export type UnsupportedProvider = Pick<Manifest, 'code' | 'name' | 'icon'>

/**
 * What is told of a provider that fleets use and that no adapter reads yet: nobody can sign in there, and no model is
 * supported. Every status of the specification says that it can be connected; ours is `beta` (`@gap 2.9`).
 */
function notYet({ code, name, letters, colour, references = [] }: ProviderEntry): Manifest {
  const picture = lettered(letters, colour)
  return {
    code,
    name,
    status: 'beta',
    logo: picture,
    icon: picture,
    supportedModels: none,
    references,
    signIns: [],
  }
}

interface ProviderEntry extends Pick<Manifest, 'code' | 'name'> {
  readonly letters: string
  readonly colour: string
  /** Without those that we know no address of. */
  readonly references?: Manifest['references']
}

const none = supportedModels({})

/** Drawn by us: letters of the name on a field of a colour. */
const lettered = (letters: string, colour: string): string =>
  pictureOf(
    colour,
    `<text x="24" y="31" font-family="sans-serif" font-size="20" fill="#fff" text-anchor="middle">${letters}</text>`,
  )

type Reference = Manifest['references'][number]

const docs = (label: string, url: string): Reference => ({ type: 'developer-docs', url, label })
const login = (label: string, url: string): Reference => ({ type: 'login-page', url, label })

const entries: readonly Manifest[] = [
  notYet({
    code: 'azuga',
    name: 'Azuga',
    letters: 'Az',
    colour: '#345a7c',
    references: [docs('Azuga API', 'https://developer.azuga.com/v4/reference/authentication-guide')],
  }),
  notYet({
    code: 'calamp',
    name: 'CalAmp',
    letters: 'Ca',
    colour: '#5c4a72',
    references: [
      docs('CalAmp Telematics Cloud API', 'https://developer.calamp.com/calamp/reference/ctc-api-convention'),
    ],
  }),
  notYet({ code: 'linxup', name: 'Linxup', letters: 'Li', colour: '#2f6b57' }),
  notYet({
    code: 'omnitracs',
    name: 'Omnitracs',
    letters: 'Om',
    colour: '#7a4b2c',
    references: [
      docs(
        'Omnitracs Enterprise Integration Platform',
        'https://kb.omnitracs.com/es/Enterprise_Services_Developers_Wiki/Enterprise_Integration_Platform_(EIP)/Integration_Overview',
      ),
    ],
  }),
  notYet({
    code: 'onestepgps',
    name: 'One Step GPS',
    letters: 'OS',
    colour: '#3f5f3a',
    references: [docs('One Step GPS API', 'https://track.onestepgps.com/v3/apidoc/')],
  }),
  notYet({
    code: 'platformscience',
    name: 'Platform Science',
    letters: 'PS',
    colour: '#2c6272',
    references: [docs('Platform Science for developers', 'https://www.platformscience.com/for-developers')],
  }),
  notYet({ code: 'powerfleet', name: 'Powerfleet', letters: 'Po', colour: '#6b3f52' }),
  notYet({
    code: 'teletrac',
    name: 'Teletrac Navman',
    letters: 'TN',
    colour: '#44526b',
    references: [docs('TN360 API', 'https://docs-au.telematics.com/')],
  }),
  notYet({
    code: 'tesla',
    name: 'Tesla',
    letters: 'Te',
    colour: '#6a4a4a',
    references: [docs('Tesla Fleet API', 'https://developer.tesla.com/docs/fleet-api')],
  }),
  notYet({
    code: 'verizon',
    name: 'Verizon Connect',
    letters: 'VC',
    colour: '#4d4d63',
    references: [
      login('Verizon Connect Reveal', 'https://login.us.vzconnect.com/'),
      docs(
        'Verizon Connect Reveal API',
        'https://reveal-help.verizonconnect.com/hc/en-us/articles/10933751995539-Developer-portal-overview',
      ),
    ],
  }),
  notYet({
    code: 'webfleet',
    name: 'Webfleet',
    letters: 'We',
    colour: '#4a5d2f',
    references: [
      login('Webfleet', 'https://www.webfleet.com/webfleet/products/login/'),
      docs('WEBFLEET.connect', 'https://www.webfleet.com/static/help/webfleet-connect/en_gb/index.html'),
    ],
  }),
  notYet({
    code: 'zonar',
    name: 'Zonar',
    letters: 'Zo',
    colour: '#35516a',
    references: [
      docs(
        'Zonar API',
        'https://support.zonarsystems.net/hc/en-us/articles/360036590591-Zonar-API-Introduction',
      ),
    ],
  }),
]

/** What a fleet takes whose provider is not among all of these. */
export const unlistedProvider: UnsupportedProvider = { code: 'unlisted', name: '', icon: '' }

/** Those that have no adapter: one that gets an adapter stands among the others from then on. */
export const unsupportedProviders = ({ find }: Pick<Registry, 'find'>): readonly Manifest[] =>
  entries.filter(({ code }) => find(code) === null)

export const findUnsupportedProvider = (registry: Pick<Registry, 'find'>, code: string): Manifest | null =>
  unsupportedProviders(registry).find((provider) => provider.code === code) ?? null
