// A target wants a source file; everything stands in the header.
#include "CVector.h"
