export const passkeysKeyOf = (userId: string | undefined) => ['passkeys', userId];
