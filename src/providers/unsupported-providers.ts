import { supportedModels } from './supported-models.ts'
import { svgIcon } from './svg-icon.ts'
import type { Manifest } from './provider.ts'
import type { Registry } from './registry.ts'

/** Provider without an adapter, as the link pages show it. A fleet can ask the integrator for its support. */
export type UnsupportedProvider = Pick<Manifest, 'code' | 'name' | 'icon'>

/**
 * Creates the manifest of a provider without an adapter: no sign-in and no supported model. No status means that
 * fleets cannot connect a provider, so its status is `beta`.
 */
function unsupportedProvider({ code, name, letters, colour, references = [] }: ProviderEntry): Manifest {
  const icon = letterIcon(letters, colour)
  return {
    code,
    name,
    status: 'beta',
    logo: icon,
    icon,
    supportedModels: noModels,
    references,
    signIns: [],
  }
}

interface ProviderEntry extends Pick<Manifest, 'code' | 'name'> {
  readonly letters: string
  readonly colour: string
  readonly references?: Manifest['references']
}

const noModels = supportedModels({})

/** Icon with letters of the name on a coloured background. */
const letterIcon = (letters: string, colour: string): string =>
  svgIcon(
    colour,
    `<text x="24" y="31" font-family="sans-serif" font-size="20" fill="#fff" text-anchor="middle">${letters}</text>`,
  )

type Reference = Manifest['references'][number]

const docs = (label: string, url: string): Reference => ({ type: 'developer-docs', url, label })
const login = (label: string, url: string): Reference => ({ type: 'login-page', url, label })

const entries: readonly Manifest[] = [
  unsupportedProvider({
    code: 'azuga',
    name: 'Azuga',
    letters: 'Az',
    colour: '#345a7c',
    references: [docs('Azuga API', 'https://developer.azuga.com/v4/reference/authentication-guide')],
  }),
  unsupportedProvider({
    code: 'calamp',
    name: 'CalAmp',
    letters: 'Ca',
    colour: '#5c4a72',
    references: [
      docs('CalAmp Telematics Cloud API', 'https://developer.calamp.com/calamp/reference/ctc-api-convention'),
    ],
  }),
  unsupportedProvider({ code: 'linxup', name: 'Linxup', letters: 'Li', colour: '#2f6b57' }),
  unsupportedProvider({
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
  unsupportedProvider({
    code: 'onestepgps',
    name: 'One Step GPS',
    letters: 'OS',
    colour: '#3f5f3a',
    references: [docs('One Step GPS API', 'https://track.onestepgps.com/v3/apidoc/')],
  }),
  unsupportedProvider({
    code: 'platformscience',
    name: 'Platform Science',
    letters: 'PS',
    colour: '#2c6272',
    references: [docs('Platform Science for developers', 'https://www.platformscience.com/for-developers')],
  }),
  unsupportedProvider({ code: 'powerfleet', name: 'Powerfleet', letters: 'Po', colour: '#6b3f52' }),
  unsupportedProvider({
    code: 'teletrac',
    name: 'Teletrac Navman',
    letters: 'TN',
    colour: '#44526b',
    references: [docs('TN360 API', 'https://docs-au.telematics.com/')],
  }),
  unsupportedProvider({
    code: 'tesla',
    name: 'Tesla',
    letters: 'Te',
    colour: '#6a4a4a',
    references: [docs('Tesla Fleet API', 'https://developer.tesla.com/docs/fleet-api')],
  }),
  unsupportedProvider({
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
  unsupportedProvider({
    code: 'webfleet',
    name: 'Webfleet',
    letters: 'We',
    colour: '#4a5d2f',
    references: [
      login('Webfleet', 'https://www.webfleet.com/webfleet/products/login/'),
      docs('WEBFLEET.connect', 'https://www.webfleet.com/static/help/webfleet-connect/en_gb/index.html'),
    ],
  }),
  unsupportedProvider({
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

/** Provider that a fleet chooses if its own one is not in the list. */
export const unlistedProvider: UnsupportedProvider = { code: 'unlisted', name: '', icon: '' }

/** Providers without an adapter in the registry. */
export const unsupportedProviders = ({ find }: Pick<Registry, 'find'>): readonly Manifest[] =>
  entries.filter(({ code }) => find(code) === null)

export const findUnsupportedProvider = (registry: Pick<Registry, 'find'>, code: string): Manifest | null =>
  unsupportedProviders(registry).find((provider) => provider.code === code) ?? null
