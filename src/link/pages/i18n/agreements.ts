import type { Language } from '../../view.ts'
import type { ExplainedText } from './texts.ts'

/** Default agreement of applications without an agreement of their own. */
interface Agreement {
  readonly title: string
  readonly lede: string
  readonly sections: readonly ExplainedText[]
}

const en: Agreement = {
  title: 'Agreement on sharing fleet data',
  lede: 'Between your company and the company that asks for the data, “the recipient”. In plain words, so that you know what you agree to.',
  sections: [
    {
      name: 'What you allow',
      text: 'You allow the recipient to receive the data of your fleet from your telematics provider through this service: the kinds of data that you were shown before you agreed, from the past and as they arise.',
    },
    {
      name: 'What it is for',
      text: 'The recipient uses the data to provide its service to you. Any other use needs your consent or a legal ground. What you have agreed with the recipient elsewhere remains in force.',
    },
    {
      name: 'How you sign in',
      text: 'To fetch the data, this service keeps what you signed in with. It is stored encrypted, used for nothing else, and never shown to the recipient.',
    },
    {
      name: 'Who may agree',
      text: 'You confirm that you may act for your company, and that the people whose data this is, such as drivers, have been informed as the law requires.',
    },
    {
      name: 'How long, and how it ends',
      text: 'The agreement lasts until you end it, at any time and without a reason: tell the recipient, or withdraw the access at your provider. No new data is fetched then. You can ask the recipient to have the data deleted.',
    },
    {
      name: 'What is recorded',
      text: 'That you agreed is recorded with the time, your IP address and the kind of your browser, as proof of your consent.',
    },
  ],
}

const fr: Agreement = {
  title: 'Accord sur le partage des données de flotte',
  lede: 'Entre votre entreprise et l’entreprise qui demande les données, «\u00a0le destinataire\u00a0». En mots simples, pour que vous sachiez à quoi vous vous engagez.',
  sections: [
    {
      name: 'Ce que vous autorisez',
      text: 'Vous autorisez le destinataire à recevoir, par ce service, les données de votre flotte depuis votre fournisseur de télématique\u00a0: les catégories de données qui vous ont été montrées avant votre accord, passées et à venir.',
    },
    {
      name: 'À quoi elles servent',
      text: 'Le destinataire utilise les données pour vous fournir son service. Tout autre usage demande votre consentement ou un fondement légal. Ce que vous avez convenu par ailleurs avec le destinataire reste en vigueur.',
    },
    {
      name: 'Vos identifiants',
      text: 'Pour aller chercher les données, ce service conserve vos identifiants. Ils sont chiffrés, ne servent à rien d’autre et ne sont jamais montrés au destinataire.',
    },
    {
      name: 'Qui peut donner son accord',
      text: 'Vous confirmez que vous êtes en droit d’engager votre entreprise et que les personnes concernées par ces données, comme les conducteurs, ont été informées comme la loi l’exige.',
    },
    {
      name: 'Durée et fin',
      text: 'L’accord dure jusqu’à ce que vous y mettiez fin, à tout moment et sans motif\u00a0: dites-le au destinataire, ou retirez l’accès chez votre fournisseur. Aucune nouvelle donnée n’est alors recueillie. Vous pouvez demander au destinataire de faire supprimer les données.',
    },
    {
      name: 'Ce qui est enregistré',
      text: 'Votre accord est enregistré avec l’heure, votre adresse IP et le type de votre navigateur, comme preuve de votre consentement.',
    },
  ],
}

const es: Agreement = {
  title: 'Acuerdo para compartir datos de la flota',
  lede: 'Entre su empresa y la empresa que pide los datos, «el destinatario». Con palabras sencillas, para que sepa lo que acepta.',
  sections: [
    {
      name: 'Qué permite usted',
      text: 'Usted permite que el destinatario reciba, a través de este servicio, los datos de su flota desde su proveedor de telemática: los tipos de datos que se le mostraron antes de aceptar, los pasados y los que se vayan produciendo.',
    },
    {
      name: 'Para qué sirven',
      text: 'El destinatario utiliza los datos para prestarle su servicio. Cualquier otro uso requiere su consentimiento o una base legal. Lo que haya acordado con el destinatario por otra vía sigue en vigor.',
    },
    {
      name: 'Sus datos de acceso',
      text: 'Para obtener los datos, este servicio guarda sus datos de acceso. Se guardan cifrados, no se utilizan para nada más y nunca se muestran al destinatario.',
    },
    {
      name: 'Quién puede aceptar',
      text: 'Usted confirma que puede actuar en nombre de su empresa y que las personas a las que se refieren los datos, como los conductores, han sido informadas como exige la ley.',
    },
    {
      name: 'Cuánto dura y cómo termina',
      text: 'El acuerdo dura hasta que usted le ponga fin, en cualquier momento y sin motivo: comuníquelo al destinatario o retire el acceso en su proveedor. A partir de entonces no se obtienen datos nuevos. Puede pedir al destinatario que haga eliminar los datos.',
    },
    {
      name: 'Qué se registra',
      text: 'Su aceptación se registra con la hora, su dirección IP y el tipo de su navegador, como prueba de su consentimiento.',
    },
  ],
}

export const agreements: Readonly<Record<Language, Agreement>> = { en, fr, es }
