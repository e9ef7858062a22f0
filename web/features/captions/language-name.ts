/** Names of Indian languages for browsers that know only their codes. */
const rare: Record<string, Record<string, string>> = {
  as: { en: 'Assamese', hi: 'असमिया' },
  kok: { en: 'Konkani', hi: 'कोंकणी' },
  ks: { en: 'Kashmiri', hi: 'कश्मीरी' },
  mai: { en: 'Maithili', hi: 'मैथिली' },
  mni: { en: 'Manipuri', hi: 'मणिपुरी' },
  sa: { en: 'Sanskrit', hi: 'संस्कृत' },
  sd: { en: 'Sindhi', hi: 'सिंधी' },
};

/** The name of a language in another language: "hi" is "Hindi" in English. */
export function languageName(tag: string, inLanguage: string): string {
  const name = new Intl.DisplayNames([inLanguage], { type: 'language' }).of(tag) ?? tag;
  return name === tag ? (rare[tag]?.[inLanguage] ?? rare[tag]?.en ?? tag) : name;
}
