/** The official SDK's server types, loaded on demand: sessions do not need them. */
export const loadSdk = () => import('@holdword/protocol/internal/sdk');
