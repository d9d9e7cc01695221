/** No table changes. The functions, which are made after the migrations, delete records that still are as expected. */
export const conditionalDelete = '';
